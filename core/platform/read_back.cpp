#include "core/platform/read_back.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/clock.h"
#include "core/base/time_text.h"
#include "core/domain/order.h"
#include "core/platform/requests.h"
#include "core/wire/json_member.h"

namespace a2h::platform {
namespace {

using nlohmann::json;
using wire::member;

/// The answer that the call would have had; null if nothing shows that it took effect.
using Seen = Result<json>;

constexpr int kRowsRead = 100;

struct Search {
    Client& market;
    const json& arguments;
    UnixMs not_before_ms;
};

/// Times are sent as ISO text and as unix ms.
std::optional<UnixMs> time_of(const json& row) {
    for (const char* name : {"createdAt", "created_at", "createTime"}) {
        const json& value = member(row, name);
        if (value.is_number_integer() && is_time(value.get<UnixMs>())) return value.get<UnixMs>();
        if (!value.is_string()) continue;
        const auto time = parse_time(value.get_ref<const std::string&>());
        if (time) return *time;
    }
    return std::nullopt;
}

bool equal_members(const json& row, const json& arguments,
                   std::initializer_list<std::pair<std::string_view, std::string_view>> names) {
    return std::all_of(names.begin(), names.end(), [&](const auto& pair) {
        return member(row, pair.first) == member(arguments, pair.second);
    });
}

/// The newest row that `fits`.
template <typename Fits>
Seen find_row(const Search& search, const Result<json>& data, const Fits& fits) {
    if (!data) return fail(data.error());
    for (const json& row : wire::list_in(*data)) {
        const auto time = time_of(row);
        const bool old = time && *time < search.not_before_ms;
        if (row.is_object() && !old && fits(row)) return row;
    }
    return json();
}

/// A row with the same words by another agent is not ours; a row without an owner is.
bool is_own(const Search& search, const json& row) {
    const json& owner = member(row, "agentId");
    return !owner.is_string() || owner == search.market.agent_id();
}

Seen new_post(const Search& search) {
    const json type = search.arguments.value("type", json(4));
    const auto data = search.market.call("works.list", {{"type", type}, {"page_size", kRowsRead}});
    return find_row(search, data, [&](const json& row) {
        return is_own(search, row) &&
               equal_members(row, search.arguments, {{"title", "title"}, {"content", "content"}});
    });
}

Seen new_reply(const Search& search) {
    const auto data = search.market.call(
        "discussion.replies",
        {{"works_id", member(search.arguments, "parent_works_id")}, {"page_size", kRowsRead}});
    return find_row(search, data, [&](const json& row) {
        return is_own(search, row) &&
               equal_members(row, search.arguments, {{"content", "content"}});
    });
}

Seen changed_post(const Search& search) {
    A2H_ASSIGN_OR_RETURN(auto data, search.market.call("works.get", search.arguments));
    json info = member(data, "extendInfo");
    if (info.is_string()) info = json::parse(info.get<std::string>(), nullptr, false);
    A2H_ASSIGN_OR_RETURN(const auto request,
                         make_request("works.update", search.arguments, search.market.agent_id()));
    json wanted = json::parse(request.body);
    const json wanted_info = member(wanted, "extendInfo");
    wanted.erase("extendInfo");
    const auto holds = [](const json& have, const json& want) {
        for (const auto& [name, value] : want.items()) {
            if (member(have, name) != value) return false;
        }
        return true;
    };
    const bool done = holds(data, wanted) && (wanted_info.is_null() || holds(info, wanted_info));
    return done ? std::move(data) : json();
}

Seen deleted_post(const Search& search) {
    const auto data = search.market.call("works.get", search.arguments);
    if (data) return json();
    if (data.error().code != ErrorCode::NotFound) return fail(data.error());
    return json{{"worksId", member(search.arguments, "works_id")}, {"deleted", true}};
}

Seen new_order(const Search& search) {
    const auto data =
        search.market.call("order.list", {{"role", "sales"}, {"page_size", kRowsRead}});
    return find_row(search, data, [&](const json& row) {
        // The same order may have been made earlier, so a row without a time proves nothing.
        return time_of(row) &&
               equal_members(row, search.arguments,
                             {{"title", "title"},
                              {"price", "price_cent"},
                              {"currency", "currency"},
                              {"productId", "product_id"}}) &&
               member(row, "status") == to_string(OrderState::PendingConfirm);
    });
}

/// The state after `action`, whatever the state was before.
std::optional<OrderState> end_of(OrderAction action) {
    for (const OrderState from : kOrderStates) {
        for (const OrderRole role : {OrderRole::Customer, OrderRole::Provider}) {
            const auto move = move_order(from, action, role);
            if (move) return move->to;
        }
    }
    return std::nullopt;
}

Seen moved_order(const Search& search) {
    A2H_ASSIGN_OR_RETURN(auto data, search.market.call("order.get", search.arguments));
    const auto action = parse_order_action(search.arguments.value("action", ""));
    const auto wanted = action ? end_of(*action) : std::nullopt;
    return wanted && member(data, "status") == to_string(*wanted) ? std::move(data) : json();
}

Seen changed_profile(const Search& search, std::string_view name, const json& value) {
    A2H_ASSIGN_OR_RETURN(auto data, search.market.call("profile.get", json::object()));
    const json& have = member(data, name);
    const bool both_empty = value == "" && have.is_null();
    return have == value || both_empty ? std::move(data) : json();
}

Seen uploaded_code(const Search& search) {
    // After a crash the file's address is no longer known.
    if (!search.arguments.contains("url")) return json();
    return changed_profile(search, qr_member(search.arguments.value("type", "qrcode")),
                           member(search.arguments, "url"));
}

Seen removed_code(const Search& search) {
    return changed_profile(search, qr_member(search.arguments.value("type", "qrcode")), "");
}

Seen default_method(const Search& search) {
    return changed_profile(search, "defaultPaymentMethod", member(search.arguments, "type"));
}

Seen new_rfp(const Search& search) {
    const auto data = search.market.call(
        "rfp.list",
        {{"role", "creator"}, {"creator_id", search.market.agent_id()}, {"page_size", kRowsRead}});
    return find_row(search, data, [&](const json& row) {
        return time_of(row) && member(row, "status") == "open" &&
               equal_members(row, search.arguments,
                             {{"title", "title"},
                              {"description", "description"},
                              {"capability_type", "capability_type"}});
    });
}

Seen new_proposal(const Search& search) {
    const auto data = search.market.call("proposal.list", search.arguments);
    return find_row(search, data, [&](const json& row) {
        return member(row, "status") == "pending" &&
               member(row, "supplier_agent_id") == search.market.agent_id() &&
               member(row, "price") == member(search.arguments, "price");
    });
}

Seen moved_proposal(const Search& search) {
    A2H_ASSIGN_OR_RETURN(auto data, search.market.call("proposal.get", search.arguments));
    return member(data, "status") == member(search.arguments, "status") ? std::move(data) : json();
}

struct ReadBack {
    std::string_view action;
    Seen (*look)(const Search&);
    bool creates = false;
};

constexpr ReadBack kReadBacks[] = {
    {"works.publish", new_post, true},       {"works.update", changed_post},
    {"works.delete", deleted_post},          {"discussion.publish", new_post, true},
    {"discussion.reply", new_reply, true},   {"order.create", new_order, true},
    {"order.action", moved_order},           {"profile.upload_qrcode", uploaded_code},
    {"profile.delete_qrcode", removed_code}, {"profile.set_default_payment", default_method},
    {"rfp.create", new_rfp, true},           {"proposal.submit", new_proposal, true},
    {"proposal.update", moved_proposal},
};

const ReadBack* row_of(std::string_view action) {
    const auto row = std::find_if(std::begin(kReadBacks), std::end(kReadBacks),
                                  [&](const ReadBack& entry) { return entry.action == action; });
    return row == std::end(kReadBacks) ? nullptr : &*row;
}

}  // namespace

bool is_creation(std::string_view action) {
    const ReadBack* row = row_of(action);
    return row != nullptr && row->creates;
}

Result<std::optional<std::string>> read_back(Client& market, std::string_view action,
                                             const json& arguments, UnixMs not_before_ms) {
    const ReadBack* row = row_of(action);
    if (row == nullptr) return std::optional<std::string>();
    A2H_ASSIGN_OR_RETURN(const auto seen, row->look({market, arguments, not_before_ms}));
    if (seen.is_null()) return std::optional<std::string>();
    return std::optional(seen.dump(-1, ' ', false, json::error_handler_t::replace));
}

}  // namespace a2h::platform
