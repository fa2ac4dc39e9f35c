#include "daemon/web/agents_api.h"

#include <charconv>

#include <nlohmann/json.hpp>

#include "core/wire/json_member.h"
#include "daemon/web/api_answers.h"

namespace a2h::web {
namespace {

using nlohmann::json;

constexpr SubjectFaults kAgentFaults{{"invalid_argument", 400}, {"E008", 404}};
/// Capabilities are an object of any form.
constexpr wire::JsonLimits kProfileLimits{.bytes_max = 512 * 1024, .depth_max = 24};

/// The operation's schema refuses a text in place of a number.
json number_or_text(std::string_view text) {
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_number = error == std::errc() && end == text.data() + text.size();
    return is_number ? json(number) : json(text);
}

}  // namespace

http::Response AgentsApi::relay(std::string_view action, const json& arguments) {
    const auto data = data_of(kAgentFaults, call_(action, arguments.dump()));
    if (const auto* refused = std::get_if<http::Response>(&data)) return *refused;
    return json_answer(200, *std::get_if<json>(&data));
}

http::Response AgentsApi::list(const http::Request& request) {
    json arguments = json::object();
    for (const char* name : {"tag", "source", "after"}) {
        if (const auto value = request.query_value(name); !value.empty()) arguments[name] = value;
    }
    if (const auto limit = request.query_value("limit"); !limit.empty())
        arguments["limit"] = number_or_text(limit);
    return relay("profile.list", arguments);
}

http::Response AgentsApi::show(std::string_view agent_id) {
    const auto profile = profile_of_(agent_id);
    return profile ? json_answer(200, *profile) : refusal(kAgentFaults, profile.error());
}

http::Response AgentsApi::put(const http::Request& request, std::string_view agent_id) {
    auto body = object_body(request, kProfileLimits);
    if (!body) return refusal(kAgentFaults, body.error());
    const json named = wire::member(*body, "agent_id");
    if (!named.is_null() && named != agent_id) {
        return refusal(kAgentFaults.malformed, "agent_id differs from the one in the path");
    }
    (*body)["agent_id"] = agent_id;
    const auto data = data_of(
        kAgentFaults, call_("profile.import", json{{"profiles", {std::move(*body)}}}.dump()));
    if (const auto* refused = std::get_if<http::Response>(&data)) return *refused;
    return show(agent_id);
}

http::Response AgentsApi::import(const http::Request& request) {
    auto body = json_body(request, kProfileLimits);
    if (!body) return refusal(kAgentFaults, body.error());
    if (body->is_array()) return relay("profile.import", {{"profiles", std::move(*body)}});
    return relay("profile.import", members_of(*body, {"profiles", "first_place"}));
}

http::Response AgentsApi::generate(const http::Request& request) {
    const auto body = object_body(request, {.bytes_max = 4 * 1024, .depth_max = 2});
    if (!body) return refusal(kAgentFaults, body.error());
    return relay("profile.generate", members_of(*body, {"count", "seed"}));
}

http::Response AgentsApi::reset(const http::Request& request) {
    const auto body = object_body(request, {.bytes_max = 4 * 1024, .depth_max = 2});
    if (!body) return refusal(kAgentFaults, body.error());
    return relay("profile.reset", json::object());
}

}  // namespace a2h::web
