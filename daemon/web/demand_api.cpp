#include "daemon/web/demand_api.h"

#include <algorithm>
#include <array>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/wire/crypto.h"
#include "core/wire/json_member.h"
#include "core/wire/json_text.h"
#include "daemon/web/event_stream.h"

namespace a2h::web {
namespace {

using nlohmann::json;

constexpr std::string_view kRoot = "/api/v1/";
constexpr std::string_view kDemands = "/api/v1/demand/";
constexpr std::string_view kSubmit = "/api/v1/demand/submit";
constexpr std::string_view kCancelEnd = "/cancel";
constexpr std::string_view kStreams = "/api/v1/events/negotiations/";
constexpr std::string_view kStreamEnd = "/stream";

/// A code and its HTTP status.
struct Fault {
    std::string_view code;
    int status;
};
constexpr Fault kBadDemand{"E001", 400};
constexpr Fault kNoDemand{"E002", 404};
constexpr Fault kNotPushed{"E009", 500};
constexpr Fault kNotAllowed{"unauthenticated", 401};
constexpr Fault kWrongOrigin{"permission_denied", 403};
constexpr Fault kNoSuchPath{"not_found", 404};

/// Of the codes of our operations' results; what is not here is 500 under its own name.
struct KnownFault {
    std::string_view operation_code;
    Fault fault;
};
constexpr std::array kFaults{
    KnownFault{"invalid_argument", kBadDemand},
    KnownFault{"PLATFORM_410", kNoDemand},
    KnownFault{"unavailable", {"E003", 503}},
    KnownFault{"timeout", {"E004", 504}},
    KnownFault{"conflict", {"conflict", 409}},
    KnownFault{"resource_exhausted", {"resource_exhausted", 429}},
};

http::Response json_answer(int status, const json& body) {
    return {status,
            {{"Content-Type", "application/json; charset=utf-8"},
             {"Cache-Control", "no-store"},
             {"X-Content-Type-Options", "nosniff"}},
            body.dump(-1, ' ', false, json::error_handler_t::replace)};
}

http::Response refusal(const Fault& fault, std::string_view message) {
    return json_answer(fault.status,
                       {{"ok", false}, {"error", {{"code", fault.code}, {"message", message}}}});
}

Fault fault_of(std::string_view operation_code) {
    const auto found = std::find_if(kFaults.begin(), kFaults.end(), [&](const KnownFault& known) {
        return known.operation_code == operation_code;
    });
    return found == kFaults.end() ? Fault{operation_code, 500} : found->fault;
}

http::Response refusal(const Error& error) {
    const bool is_missing = error.code == ErrorCode::NotFound;
    return refusal(is_missing ? kNoDemand : fault_of(to_string(error.code)), error.message);
}

bool is_silent(const json& candidate) {
    return wire::text_member(candidate, "state") == "silent";
}

/// `error` beside what went well, for the two ends that the seed calls errors: nobody was found,
/// and nobody answered in time.
void add_business_fault(const json& negotiation, json& body) {
    const std::string reason = wire::text_member(negotiation, "reason");
    const json& candidates = wire::member(negotiation, "candidates");
    const bool somebody_was_silent = std::any_of(candidates.begin(), candidates.end(), is_silent);
    if (reason == "no_candidates") body["error"] = {{"code", "E005"}, {"message", reason}};
    if (reason == "no_participants" && somebody_was_silent) {
        body["error"] = {{"code", "E006"}, {"message", reason}};
    }
}

/// The data of an operation's result, or how its error is answered.
std::variant<json, http::Response> data_of(const Result<std::string>& result) {
    if (!result) return refusal(result.error());
    const json envelope = json::parse(*result, nullptr, false);
    if (wire::member(envelope, "ok") == true) return wire::member(envelope, "data");
    const json& error = wire::member(envelope, "error");
    return refusal(fault_of(wire::text_member(error, "code")), wire::text_member(error, "message"));
}

bool is_json(const http::Request& request) {
    const std::string_view type = request.header("content-type");
    return type.substr(0, type.find(';')) == "application/json";
}

/// What the body asks for, as the operation takes it; members that it does not have are left out.
json submission_of(const json& body) {
    json arguments = json::object();
    for (const char* name : {"raw_input", "user_id", "on_timeout", "show_terms", "response_seconds",
                             "feedback_seconds", "invite"}) {
        const json& value = wire::member(body, name);
        if (!value.is_null()) arguments[name] = value;
    }
    if (const std::string agent = wire::text_member(body, "agent_id"); !agent.empty()) {
        arguments["agent"] = agent;
    }
    return arguments;
}

std::string last_event_id(const http::Request& request) {
    const std::string_view header = request.header("last-event-id");
    return std::string(header.empty() ? request.query_value("last_event_id") : header);
}

/// What stands between `before` and `after` in the path; empty when it is not of that form.
std::string_view between(std::string_view path, std::string_view before, std::string_view after) {
    if (!path.starts_with(before) || !path.ends_with(after)) return {};
    if (path.size() <= before.size() + after.size()) return {};
    path.remove_prefix(before.size());
    path.remove_suffix(after.size());
    return path.find('/') == std::string_view::npos ? path : std::string_view();
}

}  // namespace

bool DemandApi::serves(std::string_view path) {
    return path.starts_with(kRoot);
}

/// Who names no origin is no page, or our own.
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
    if (!options_.token.empty() && shown.starts_with(kBearer) &&
        wire::equal_constant_time(shown.substr(kBearer.size()), options_.token)) {
        return Entry::Token;
    }
    if (options_.token.empty() && options_.is_loopback) return Entry::Machine;
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
        return refusal(kNotAllowed, "show web.api_token as Authorization: Bearer …");
    }
    const std::string_view path = request.path;
    const bool reads = request.method == "GET";
    const bool changes = request.method == "POST";
    if (path == kSubmit && changes) return submit(request);
    if (const auto id = between(path, kDemands, {}); !id.empty() && reads) return show(id);
    if (const auto id = between(path, kDemands, kCancelEnd); !id.empty() && changes)
        return cancel(id);
    if (const auto id = between(path, kStreams, kStreamEnd); !id.empty() && reads)
        return follow(request, id, entry);
    return refusal(kNoSuchPath, "there is no " + request.method + " " + request.path);
}

http::Response DemandApi::submit(const http::Request& request) {
    // A form of another page can send everything but this type without asking first.
    if (!is_json(request)) return refusal(kBadDemand, "Content-Type must be application/json");
    const auto body = wire::parse_json(request.body, {.bytes_max = 64 * 1024, .depth_max = 4});
    if (!body) return refusal(kBadDemand, body.error().message);
    if (!body->is_object()) return refusal(kBadDemand, "the body must be an object");
    const auto data = data_of(backend_.call("demand.submit", submission_of(*body).dump()));
    if (const auto* refused = std::get_if<http::Response>(&data)) return *refused;
    const json& submitted = *std::get_if<json>(&data);
    json answer = json::object();
    for (const char* name : {"demand_id", "channel_id", "status", "understanding"})
        answer[name] = wire::member(submitted, name);
    add_business_fault(submitted, answer);
    return json_answer(200, answer);
}

http::Response DemandApi::show(std::string_view id) {
    const auto data = data_of(backend_.call("negotiation.get", json{{"demand_id", id}}.dump()));
    if (const auto* refused = std::get_if<http::Response>(&data)) return *refused;
    json answer = *std::get_if<json>(&data);
    add_business_fault(answer, answer);
    return json_answer(200, answer);
}

http::Response DemandApi::cancel(std::string_view id) {
    const auto data = data_of(backend_.call("negotiation.cancel", json{{"demand_id", id}}.dump()));
    if (const auto* refused = std::get_if<http::Response>(&data)) return *refused;
    return json_answer(200, *std::get_if<json>(&data));
}

http::Response DemandApi::follow(const http::Request& request, std::string_view id, Entry entry) {
    const auto demand_id = backend_.demand_of(id);
    if (!demand_id) return refusal(demand_id.error());
    if (backend_.is_full()) return refusal(kNotPushed, "too many follow negotiations already");
    std::function<bool()> still_allowed = [] { return true; };
    if (entry == Entry::Session) still_allowed = backend_.session_of(request);
    return event_stream([this, demand_id = *demand_id, last = last_event_id(request),
                         still_allowed](std::shared_ptr<http::Stream> stream) {
        backend_.follow(std::move(stream), demand_id, last, still_allowed);
    });
}

}  // namespace a2h::web
