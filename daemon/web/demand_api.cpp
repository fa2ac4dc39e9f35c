#include "daemon/web/demand_api.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/wire/crypto.h"
#include "core/wire/json_member.h"
#include "daemon/web/api_answers.h"
#include "daemon/web/event_stream.h"

namespace a2h::web {
namespace {

using nlohmann::json;

constexpr std::string_view kRoot = "/api/v1/";
/// The place of an id in the path of a route.
constexpr std::string_view kId = "{}";

constexpr SubjectFaults kDemandFaults{{"E001", 400}, {"E002", 404}};
/// The only thing that can be missing is the agent that is to submit it.
constexpr SubjectFaults kSubmitFaults{{"E001", 400}, {"E008", 404}};
constexpr Fault kNotPushed{"E009", 500};
constexpr Fault kNotAllowed{"unauthenticated", 401};
constexpr Fault kWrongOrigin{"permission_denied", 403};
constexpr Fault kNoSuchPath{"not_found", 404};
constexpr Fault kNoSuchMethod{"method_not_allowed", 405};

bool is_silent(const json& candidate) {
    return wire::text_member(candidate, "state") == "silent";
}

/// Adds `error` to a successful answer for the two results that the specification calls errors:
/// nobody was found, and nobody answered in time.
void add_business_fault(const json& negotiation, json& body) {
    const std::string reason = wire::text_member(negotiation, "reason");
    const json& candidates = wire::member(negotiation, "candidates");
    const bool somebody_was_silent = std::any_of(candidates.begin(), candidates.end(), is_silent);
    if (reason == "no_candidates") body["error"] = {{"code", "E005"}, {"message", reason}};
    if (reason == "no_participants" && somebody_was_silent) {
        body["error"] = {{"code", "E006"}, {"message", reason}};
    }
}

/// The arguments of the operation from the body.
json submission_of(const json& body) {
    json arguments = members_of(body, {"raw_input", "user_id", "on_timeout", "show_terms",
                                       "response_seconds", "feedback_seconds", "invite"});
    if (const std::string agent = wire::text_member(body, "agent_id"); !agent.empty()) {
        arguments["agent"] = agent;
    }
    return arguments;
}

std::string last_event_id(const http::Request& request) {
    const std::string_view header = request.header("last-event-id");
    return std::string(header.empty() ? request.query_value("last_event_id") : header);
}

/// The id in `path` if the route's path has one, empty if it has none; nullopt if the route's path
/// is a different one.
std::optional<std::string_view> id_in(std::string_view path, std::string_view of_route) {
    const std::size_t place = of_route.find(kId);
    if (place == of_route.npos) {
        return path == of_route ? std::optional(std::string_view()) : std::nullopt;
    }
    const std::string_view before = of_route.substr(0, place);
    const std::string_view after = of_route.substr(place + kId.size());
    if (!path.starts_with(before) || !path.ends_with(after)) return std::nullopt;
    if (path.size() <= before.size() + after.size()) return std::nullopt;
    path.remove_prefix(before.size());
    path.remove_suffix(after.size());
    return path.find('/') == path.npos ? std::optional(path) : std::nullopt;
}

}  // namespace

/// An authorised request.
struct DemandApi::Ask {
    const http::Request& request;
    std::string_view id;  ///< id in the path
    Entry entry;
};

struct DemandApi::Route {
    std::string_view method;
    std::string_view path;
    http::Response (*handle)(DemandApi&, const Ask&);
};

/// A literal path precedes one with an id in the same place.
const DemandApi::Route DemandApi::kRoutes[] = {
    {"POST", "/api/v1/demand/submit",
     [](DemandApi& api, const Ask& ask) { return api.submit(ask.request); }},
    {"GET", "/api/v1/demand/{}", [](DemandApi& api, const Ask& ask) { return api.show(ask.id); }},
    {"POST", "/api/v1/demand/{}/cancel",
     [](DemandApi& api, const Ask& ask) { return api.cancel(ask.id); }},
    {"GET", "/api/v1/events/negotiations/{}/stream",
     [](DemandApi& api, const Ask& ask) { return api.follow(ask); }},
    {"GET", "/api/v1/agents",
     [](DemandApi& api, const Ask& ask) { return api.agents_.list(ask.request); }},
    {"POST", "/api/v1/agents/import",
     [](DemandApi& api, const Ask& ask) { return api.agents_.import(ask.request); }},
    {"POST", "/api/v1/agents/generate",
     [](DemandApi& api, const Ask& ask) { return api.agents_.generate(ask.request); }},
    {"POST", "/api/v1/agents/reset",
     [](DemandApi& api, const Ask& ask) { return api.agents_.reset(ask.request); }},
    {"GET", "/api/v1/agents/{}",
     [](DemandApi& api, const Ask& ask) { return api.agents_.show(ask.id); }},
    {"PUT", "/api/v1/agents/{}",
     [](DemandApi& api, const Ask& ask) { return api.agents_.put(ask.request, ask.id); }},
};

bool DemandApi::serves(std::string_view path) {
    return path.starts_with(kRoot);
}

/// A request without an origin comes from no page, or from our own.
bool DemandApi::is_allowed_origin(const http::Request& request) const {
    const std::string_view origin = request.header("origin");
    if (origin.empty()) return !is_from_another_site(request);
    const auto& named = options_.cors_origins;
    return is_own_origin(options_.site, request) ||
           std::find(named.begin(), named.end(), origin) != named.end();
}

DemandApi::Entry DemandApi::entry_of(const http::Request& request) const {
    constexpr std::string_view kBearer = "Bearer ";
    const bool reads = request.method == "GET" || request.method == "HEAD";
    const std::string_view shown = request.header("authorization");
    for (const std::string& token : options_.tokens) {
        if (shown.starts_with(kBearer) &&
            wire::equal_constant_time(shown.substr(kBearer.size()), token)) {
            return Entry::Token;
        }
    }
    return backend_.has_session(request, !reads) ? Entry::Session : Entry::Refused;
}

http::Response DemandApi::serve(const http::Request& request) {
    if (!is_known_host(options_.site, request)) return wrong_host();
    if (!is_allowed_origin(request)) {
        return refusal(kWrongOrigin, "this origin is not named in web.cors_origins");
    }
    const std::string_view origin = request.header("origin");
    const bool asks_before = request.method == "OPTIONS" && !origin.empty();
    http::Response response = asks_before ? http::Response{.status = 204} : answer(request);
    if (origin.empty()) return response;
    response.headers.emplace_back("Access-Control-Allow-Origin", std::string(origin));
    response.headers.emplace_back("Vary", "Origin");
    if (asks_before) {
        response.headers.emplace_back("Access-Control-Allow-Methods", "GET, POST, PUT, DELETE");
        response.headers.emplace_back("Access-Control-Allow-Headers",
                                      "authorization,content-type,last-event-id");
        response.headers.emplace_back("Access-Control-Max-Age", "600");
    }
    return response;
}

http::Response DemandApi::answer(const http::Request& request) {
    const Entry entry = entry_of(request);
    if (entry == Entry::Refused) {
        return refusal(kNotAllowed,
                       "show the token of run/api.token in a2hd's home, or web.api_token, as "
                       "Authorization: Bearer …");
    }
    std::string allowed;
    std::string_view path;  // path of the route that was found
    for (const Route& route : kRoutes) {
        const auto id = id_in(request.path, route.path);
        if (!id || (!path.empty() && route.path != path)) continue;
        if (route.method == request.method) return route.handle(*this, {request, *id, entry});
        path = route.path;
        allowed += (allowed.empty() ? "" : ", ") + std::string(route.method);
    }
    const std::string message = "there is no " + request.method + " " + request.path;
    if (allowed.empty()) return refusal(kNoSuchPath, message);
    http::Response refused = refusal(kNoSuchMethod, message);
    refused.headers.emplace_back("Allow", allowed);
    return refused;
}

http::Response DemandApi::submit(const http::Request& request) {
    const auto body = object_body(request, {.bytes_max = 64 * 1024, .depth_max = 4});
    if (!body) return refusal(kSubmitFaults, body.error());
    const auto data =
        data_of(kSubmitFaults, backend_.call("demand.submit", submission_of(*body).dump()));
    if (const auto* refused = std::get_if<http::Response>(&data)) return *refused;
    const json& submitted = *std::get_if<json>(&data);
    json answer = json::object();
    for (const char* name : {"demand_id", "channel_id", "status", "understanding"})
        answer[name] = wire::member(submitted, name);
    add_business_fault(submitted, answer);
    return json_answer(200, answer);
}

http::Response DemandApi::show(std::string_view id) {
    const auto data =
        data_of(kDemandFaults, backend_.call("negotiation.get", json{{"demand_id", id}}.dump()));
    if (const auto* refused = std::get_if<http::Response>(&data)) return *refused;
    json answer = *std::get_if<json>(&data);
    add_business_fault(answer, answer);
    return json_answer(200, answer);
}

http::Response DemandApi::cancel(std::string_view id) {
    const auto data =
        data_of(kDemandFaults, backend_.call("negotiation.cancel", json{{"demand_id", id}}.dump()));
    if (const auto* refused = std::get_if<http::Response>(&data)) return *refused;
    return json_answer(200, *std::get_if<json>(&data));
}

http::Response DemandApi::follow(const Ask& ask) {
    const auto demand_id = backend_.demand_of(ask.id);
    if (!demand_id) return refusal(kDemandFaults, demand_id.error());
    if (backend_.is_full())
        return refusal(kNotPushed, "too many clients already follow negotiations");
    std::function<bool()> still_allowed = [] { return true; };
    if (ask.entry == Entry::Session) still_allowed = backend_.session_of(ask.request);
    return event_stream([this, demand_id = *demand_id, last = last_event_id(ask.request),
                         still_allowed](std::shared_ptr<http::Stream> stream) {
        backend_.follow(std::move(stream), demand_id, last, still_allowed);
    });
}

}  // namespace a2h::web
