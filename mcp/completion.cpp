#include "mcp/completion.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/wire/json_member.h"
#include "mcp/peer_text.h"
#include "mcp/playbooks.h"

namespace a2h::mcp {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using wire::text_member;

constexpr std::chrono::seconds kMarketKept{5};

/// The request to the market for ids of a kind.
struct MarketList {
    std::string_view kind;
    std::string_view action;
    const char* params;
};
constexpr MarketList kMarketLists[] = {
    {"order", "order.list", R"({"role":"sales","page_size":100})"},
    {"order", "order.list", R"({"role":"purchase","page_size":100})"},
    {"listing", "works.list", R"({"page_size":100})"},
};
/// The member names that markets use.
constexpr std::pair<std::string_view, std::string_view> kIdMembers[] = {
    {"order", "orderId"}, {"order", "id"}, {"listing", "worksId"}, {"listing", "id"}};

/// The kind of value for a variable of a resource template; empty if there is no such template.
std::string_view kind_of_variable(std::string_view uri, std::string_view variable) {
    if (uri == "a2h://inbox/{peer}" && variable == "peer") return "peer";
    if (uri == "a2h://approvals/{id}" && variable == "id") return "approval";
    if (uri == "a2h://orders/{id}" && variable == "id") return "order";
    if (uri == "a2h://playbooks/{name}" && variable == "name") return "playbook";
    return {};
}

/// Returns the kind of what is to be completed, or the error that says why it cannot be.
std::variant<std::string, RpcError> kind_in(const json& params) {
    const json& ref = wire::member(params, "ref");
    const std::string name = text_member(wire::member(params, "argument"), "name");
    const std::string type = text_member(ref, "type");
    if (type == "ref/resource") {
        const std::string_view kind = kind_of_variable(text_member(ref, "uri"), name);
        if (kind.empty()) return invalid_params("Unknown resource template or variable");
        return std::string(kind);
    }
    if (type != "ref/prompt") return invalid_params("ref must be ref/prompt or ref/resource");
    const Playbook* playbook = find_playbook(text_member(ref, "name"), usual_language());
    if (playbook == nullptr) return invalid_params("Unknown prompt");
    const auto& known = playbook->arguments;
    if (std::find(known.begin(), known.end(), name) == known.end()) {
        return invalid_params("Unknown argument");
    }
    return name;
}

std::string id_in_row(const json& row, std::string_view kind) {
    for (const auto& [of_kind, member] : kIdMembers) {
        if (of_kind != kind) continue;
        const json& id = wire::member(row, member);
        std::string text = id.is_number_integer() ? id.dump() : text_member(row, member);
        // Ids of markets always contain a digit.
        if (is_plain_id(text) && text.find_first_of("0123456789") != std::string::npos) return text;
    }
    return {};
}

/// First those that begin with `typed`, then those that contain it, without duplicates.
std::vector<std::string> matching(const std::vector<std::string>& values,
                                  const std::string& typed) {
    std::vector<std::string> begins;
    std::vector<std::string> holds;
    for (const std::string& value : values) {
        const auto at = value.find(typed);
        if (at == std::string::npos) continue;
        auto& place = at == 0 ? begins : holds;
        if (std::find(place.begin(), place.end(), value) == place.end()) place.push_back(value);
    }
    begins.insert(begins.end(), holds.begin(), holds.end());
    return begins;
}

}  // namespace

Completion::Completion(const Resources& resources, CallDaemon call_daemon, std::string agent)
    : resources_(resources), call_daemon_(std::move(call_daemon)), agent_(std::move(agent)) {}

Outcome Completion::complete(const json& params, std::stop_token cancelled) {
    const json& typed = wire::member(wire::member(params, "argument"), "value");
    if (!typed.is_string()) return invalid_params("argument.value must be a string");
    const auto kind = kind_in(params);
    if (const auto* error = std::get_if<RpcError>(&kind)) return *error;
    auto values = matching(values_of(std::get<std::string>(kind), std::move(cancelled)),
                           typed.get<std::string>());
    const std::size_t total = values.size();
    if (total > kValuesMax) values.resize(kValuesMax);
    return ordered_json{
        {"completion",
         {{"values", std::move(values)}, {"total", total}, {"hasMore", total > kValuesMax}}}};
}

Completion::Values Completion::values_of(std::string_view kind, std::stop_token cancelled) {
    if (kind == "peer") return resources_.peers(std::move(cancelled));
    if (kind == "approval") return resources_.approvals(false, std::move(cancelled));
    if (kind == "language") return {"en", "zh_CN"};
    if (kind == "playbook") {
        Values names;
        for (const Playbook& playbook : playbooks()) {
            if (playbook.language == usual_language()) names.push_back(playbook.name);
        }
        for (const Playbook& playbook : playbooks())
            names.push_back(playbook.name + "." + playbook.language);
        return names;
    }
    return ids_from_market(kind, std::move(cancelled));
}

Completion::Values Completion::ids_from_market(std::string_view kind, std::stop_token cancelled) {
    {
        const std::lock_guard lock(mutex_);
        const auto kept = kept_.find(kind);
        if (kept != kept_.end() && std::chrono::steady_clock::now() < kept->second.until) {
            return kept->second.values;
        }
    }
    Values values;
    for (const MarketList& list : kMarketLists) {
        if (list.kind != kind) continue;
        json call_params = json::parse(list.params);
        call_params["face"] = "assistant";
        if (!agent_.empty()) call_params["agent"] = agent_;
        const auto answered = call_daemon_({.method = list.action,
                                            .params_json = call_params.dump(),
                                            .repeatable = true,
                                            .patient = false},
                                           cancelled);
        if (!answered) continue;
        const json envelope = json::parse(*answered, nullptr, false);
        const json& rows = wire::list_in(wire::member(envelope, "data"));
        if (!rows.is_array()) continue;
        for (const json& row : rows) {
            if (auto id = id_in_row(row, kind); !id.empty()) values.push_back(std::move(id));
        }
    }
    const std::lock_guard lock(mutex_);
    kept_[std::string(kind)] = {std::chrono::steady_clock::now() + kMarketKept, values};
    return values;
}

}  // namespace a2h::mcp
