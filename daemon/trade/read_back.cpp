#include "daemon/trade/read_back.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/base/clock.h"
#include "core/base/time_text.h"
#include "core/domain/order.h"
#include "core/platform/requests.h"
#include "core/wire/json_member.h"
#include "daemon/trade/check_parts.h"

namespace a2h::trade {
namespace {

using nlohmann::json;
using wire::member;

using Seen = Result<json>;

constexpr int kRowsRead = 100;
/// The members of rows that are ids of what was created.
constexpr std::string_view kIds[] = {"worksId", "orderId", "rfp_id", "proposal_id"};

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

/// The same for members that not every market shows.
bool equal_if_shown(const json& row, const json& arguments,
                    std::initializer_list<std::pair<std::string_view, std::string_view>> names) {
    return std::all_of(names.begin(), names.end(), [&](const auto& pair) {
        const json& shown = member(row, pair.first);
        const json& wanted = member(arguments, pair.second);
        return shown.is_null() || wanted.is_null() || shown == wanted;
    });
}

bool holds(const json& have, const json& want) {
    for (const auto& [name, value] : want.items()) {
        if (member(have, name) != value) return false;
    }
    return true;
}

json info_of_row(const json& row) {
    const json& info = member(row, "extendInfo");
    return info.is_string() ? json::parse(info.get_ref<const std::string&>(), nullptr, false)
                            : info;
}

/// Whether another call has created the row.
bool is_taken(const consent::LostCall& lost, const json& row) {
    return std::any_of(std::begin(kIds), std::end(kIds), [&](std::string_view name) {
        const std::string id = wire::text_member(row, name);
        return !id.empty() && lost.taken.find('"' + id + '"') != std::string_view::npos;
    });
}

/// Whether the row may be what was created.
bool has_created_id(const consent::LostCall& lost, const json& row) {
    return lost.created_id.empty() || std::any_of(row.begin(), row.end(), [&](const json& value) {
               return value == lost.created_id;
           });
}

/// The newest row that `fits`.
template <typename Fits>
Seen find_row(const consent::LostCall& lost, const Result<json>& data, const Fits& fits) {
    if (!data) return fail(data.error());
    for (const json& row : wire::list_in(*data)) {
        const auto time = time_of(row);
        const bool old = time && *time < lost.not_before_ms;
        const bool may_be_it = row.is_object() && !old && has_created_id(lost, row);
        if (may_be_it && !is_taken(lost, row) && fits(row)) return row;
    }
    return json();
}

/// A row with the same words by another agent is not ours; a row without an owner is.
bool is_own(const consent::LostCall& lost, const json& row) {
    const json& owner = member(row, "agentId");
    return !owner.is_string() || owner == lost.market.agent_id();
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

Seen changed_profile(const consent::LostCall& lost, std::string_view name, const json& value) {
    A2H_ASSIGN_OR_RETURN(auto data, lost.market.read("profile.get", json::object()));
    const json& have = member(data, name);
    const bool both_empty = value == "" && have.is_null();
    return have == value || both_empty ? std::move(data) : json();
}

}  // namespace

Result<json> new_post(const consent::LostCall& lost) {
    const json type = lost.arguments.value("type", json(4));
    const auto data = lost.market.read("works.list", {{"type", type}, {"page_size", kRowsRead}});
    const bool is_listing = lost.arguments.contains("type");
    A2H_ASSIGN_OR_RETURN(const auto request,
                         platform::make_request(is_listing ? "works.publish" : "discussion.publish",
                                                lost.arguments, lost.market.agent_id()));
    const json wanted_info = info_of_row(json::parse(request.body));
    return find_row(lost, data, [&](const json& row) {
        const json info = info_of_row(row);
        return is_own(lost, row) &&
               equal_members(row, lost.arguments, {{"title", "title"}, {"content", "content"}}) &&
               (!is_listing || info.is_null() || wanted_info.is_null() || holds(info, wanted_info));
    });
}

Result<json> new_reply(const consent::LostCall& lost) {
    const auto data = lost.market.read(
        "discussion.replies",
        {{"works_id", member(lost.arguments, "parent_works_id")}, {"page_size", kRowsRead}});
    return find_row(lost, data, [&](const json& row) {
        return is_own(lost, row) && equal_members(row, lost.arguments, {{"content", "content"}}) &&
               equal_if_shown(row, lost.arguments, {{"title", "title"}});
    });
}

Result<json> changed_post(const consent::LostCall& lost) {
    A2H_ASSIGN_OR_RETURN(auto data, lost.market.read("works.get", lost.arguments));
    const json info = info_of_row(data);
    A2H_ASSIGN_OR_RETURN(const auto request, platform::make_request("works.update", lost.arguments,
                                                                    lost.market.agent_id()));
    json wanted = json::parse(request.body);
    const json wanted_info = member(wanted, "extendInfo");
    wanted.erase("extendInfo");
    const bool done = holds(data, wanted) && (wanted_info.is_null() || holds(info, wanted_info));
    return done ? std::move(data) : json();
}

Result<json> deleted_post(const consent::LostCall& lost) {
    const auto data = lost.market.read("works.get", lost.arguments);
    if (data) return json();
    if (data.error().code != ErrorCode::NotFound) return fail(data.error());
    return json{{"worksId", member(lost.arguments, "works_id")}, {"deleted", true}};
}

Result<json> new_order(const consent::LostCall& lost) {
    const auto data = lost.market.read("order.list", {{"role", "sales"}, {"page_size", kRowsRead}});
    return find_row(lost, data, [&](const json& row) {
        // The same order may have been made earlier, so a row without a time proves nothing.
        return time_of(row) &&
               equal_members(row, lost.arguments,
                             {{"title", "title"},
                              {"price", "price_cent"},
                              {"currency", "currency"},
                              {"productId", "product_id"},
                              {"customerId", "customer_id"}}) &&
               member(row, "status") == to_string(OrderState::PendingConfirm);
    });
}

Result<json> moved_order(const consent::LostCall& lost) {
    A2H_ASSIGN_OR_RETURN(auto data, lost.market.read("order.get", lost.arguments));
    const auto action = parse_order_action(lost.arguments.value("action", ""));
    const auto wanted = action ? end_of(*action) : std::nullopt;
    return wanted && member(data, "status") == to_string(*wanted) ? std::move(data) : json();
}

Result<json> made_link(const consent::LostCall& lost) {
    A2H_ASSIGN_OR_RETURN(auto data, lost.market.read("payment.status", lost.arguments));
    return wire::text_member(data, "checkoutUrl").empty() ? json() : std::move(data);
}

Result<json> uploaded_code(const consent::LostCall& lost) {
    // After a crash the file's address is no longer known.
    if (!lost.arguments.contains("url")) return json();
    return changed_profile(lost, platform::qr_member(lost.arguments.value("type", "qrcode")),
                           member(lost.arguments, "url"));
}

Result<json> removed_code(const consent::LostCall& lost) {
    return changed_profile(lost, platform::qr_member(lost.arguments.value("type", "qrcode")), "");
}

Result<json> default_method(const consent::LostCall& lost) {
    return changed_profile(lost, "defaultPaymentMethod", member(lost.arguments, "type"));
}

Result<json> new_rfp(const consent::LostCall& lost) {
    const auto data = lost.market.read(
        "rfp.list",
        {{"role", "creator"}, {"creator_id", lost.market.agent_id()}, {"page_size", kRowsRead}});
    return find_row(lost, data, [&](const json& row) {
        return time_of(row) && member(row, "status") == "open" &&
               equal_members(row, lost.arguments,
                             {{"title", "title"},
                              {"description", "description"},
                              {"capability_type", "capability_type"}}) &&
               equal_if_shown(row, lost.arguments,
                              {{"budget", "budget"}, {"domain_filters", "domain_filters"}});
    });
}

Result<json> changed_rfp(const consent::LostCall& lost) {
    A2H_ASSIGN_OR_RETURN(auto data, lost.market.read("rfp.get", lost.arguments));
    const std::string status = wire::text_member(lost.arguments, "status");
    const std::string deadline = wire::text_member(lost.arguments, "deadline_at");
    const auto shown = parse_time(wire::text_member(data, "deadline_at"));
    const auto wanted = parse_time(deadline);
    const bool has_status = status.empty() || wire::text_member(data, "status") == status;
    const bool has_deadline = deadline.empty() || (shown && wanted && *shown == *wanted);
    return has_status && has_deadline ? std::move(data) : json();
}

Result<json> set_capabilities(const consent::LostCall& lost) {
    A2H_ASSIGN_OR_RETURN(auto data,
                         lost.market.read("agent.get", {{"agent_id", lost.market.agent_id()}}));
    const bool is_set =
        is_published(member(lost.arguments, "capabilities"), member(data, "capabilities"));
    return is_set ? std::move(data) : json();
}

Result<json> new_proposal(const consent::LostCall& lost) {
    const auto data = lost.market.read("proposal.list", lost.arguments);
    return find_row(lost, data, [&](const json& row) {
        return member(row, "status") == "pending" &&
               member(row, "supplier_agent_id") == lost.market.agent_id() &&
               member(row, "price") == member(lost.arguments, "price");
    });
}

Result<json> moved_proposal(const consent::LostCall& lost) {
    A2H_ASSIGN_OR_RETURN(auto data, lost.market.read("proposal.get", lost.arguments));
    return member(data, "status") == member(lost.arguments, "status") ? std::move(data) : json();
}

}  // namespace a2h::trade
