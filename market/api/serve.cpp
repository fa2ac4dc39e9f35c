#include "market/api/serve.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/log.h"
#include "core/base/text.h"
#include "market/api/answer.h"
#include "market/api/authenticate.h"
#include "market/api/base_url.h"
#include "market/api/route_table.h"
#include "market/api/write_once.h"

namespace a2h::market {
namespace {

using nlohmann::json;

/// One request from its arrival to its line in the log.
struct Visit {
    ApiParts& parts;
    const http::Request& request;
    const RouteTable::Entry& entry;
    std::vector<std::string> arguments;
    RateLimiter::Time began;
    std::string agent_id{};  ///< empty until the signature was verified
};

http::Response refuse(const Visit& visit, const Error& error) {
    const bool is_flagged = visit.entry.route->form == Form::Flagged;
    return is_flagged ? flagged_failure(error) : failure(error);
}

/// nullopt if there was a token.
std::optional<http::Response> limited(const Visit& visit, RateLimiter& limiter,
                                      std::string_view key) {
    const auto wait = limiter.take(key, visit.began);
    if (wait.count() == 0) return std::nullopt;
    return too_many_requests(visit.entry.route->form == Form::Flagged,
                             std::chrono::ceil<std::chrono::seconds>(wait));
}

std::optional<http::Response> limited_address(const Visit& visit) {
    Watch& watch = visit.parts.watch;
    return limited(visit, watch.addresses, address_key(client_address(watch, visit.request)));
}

http::Response checked(const Visit& visit, Agent caller) {
    const auto& [parts, request, entry, arguments, began, agent_id] = visit;
    const auto query = read_query(request, *entry.query_schema);
    if (!query) return refuse(visit, query.error());
    const auto body = entry.body_schema ? read_body(request, *entry.body_schema, entry.strictness)
                                        : Result<json>(json::object());
    if (!body) return refuse(visit, body.error());
    const Route& route = *entry.route;
    auto once = route.once ? read_once_key(request, *body)
                           : Result<std::optional<OnceKey>>(std::optional<OnceKey>());
    if (!once) return refuse(visit, once.error());
    const Call call{request, arguments, std::move(caller), *query, *body, std::move(*once)};
    if (route.form == Form::Raw) return route.raw_handler(parts, call);
    if (route.text_handler != nullptr) {
        const auto data = route.text_handler(parts, call);
        return data ? success_text(*data) : refuse(visit, data.error());
    }
    const auto kept = kept_answer(parts, call);
    if (!kept) return refuse(visit, kept.error());
    const auto data = *kept ? Result<json>(**kept) : route.handler(parts, call);
    if (!data) return refuse(visit, data.error());
    return route.form == Form::Flagged ? flagged_success(*data) : success(*data);
}

http::Response answer(Visit& visit) {
    if (visit.entry.route->access == Access::Public) {
        auto too_many = visit.entry.route->limited ? limited_address(visit) : std::nullopt;
        return too_many ? std::move(*too_many) : checked(visit, {});
    }
    auto agent = authenticate(visit.parts, visit.request, visit.entry.route->also_signed_as);
    if (!agent) {
        auto too_many = limited_address(visit);
        return too_many ? std::move(*too_many) : refuse(visit, agent.error());
    }
    visit.agent_id = agent->agent_id;
    auto too_many = limited(visit, visit.parts.watch.agents, visit.agent_id);
    return too_many ? std::move(*too_many) : checked(visit, std::move(*agent));
}

/// The pattern and not the path, because a path can be a secret.
void log_request(const Visit& visit, int status, std::chrono::nanoseconds took) {
    log::info("A request was answered",
              {{"route", std::string(visit.entry.route->method) + " " +
                             std::string(visit.entry.route->path)},
               {"status", static_cast<long long>(status)},
               {"us", std::chrono::duration_cast<std::chrono::microseconds>(took).count()},
               {"agent", visit.agent_id.empty() ? "-" : visit.agent_id},
               {"from", printable(client_address(visit.parts.watch, visit.request))}});
}

http::Response answer_counted(Visit visit) {
    http::Response response;
    try {
        response = answer(visit);
    } catch (const std::exception& e) {
        response = refuse(visit, {ErrorCode::Internal, std::string("a handler threw ") + e.what()});
    }
    const auto took = visit.parts.clock.steady_now() - visit.began;
    visit.parts.watch.metrics.ended(visit.entry.index, response.status, took);
    if (visit.parts.watch.log_requests) log_request(visit, response.status, took);
    return response;
}

}  // namespace

bool is_quick(const ApiParts& parts, const http::Request& request) {
    if (parts.database.dialect() != db::Dialect::Sqlite) return false;
    if (!request.header("x-a2h-nonce").empty()) return false;
    const auto found = parts.routes.find(request.method, request.path);
    return found.entry == nullptr || found.entry->route->quick;
}

http::Response serve(ApiParts& parts, const http::Request& request) {
    const auto began = parts.clock.steady_now();
    parts.watch.metrics.began();
    auto found = parts.routes.find(request.method, request.path);
    if (found.entry != nullptr) {
        return answer_counted({parts, request, *found.entry, std::move(found.arguments), began});
    }
    http::Response response =
        found.allowed_methods.empty()
            ? failure({ErrorCode::NotFound, "there is no such path"})
            : failure({ErrorCode::Unsupported, "this path does not support " + request.method});
    if (!found.allowed_methods.empty()) {
        response.headers.emplace_back("Allow", found.allowed_methods);
    }
    parts.watch.metrics.ended(parts.routes.size(), response.status,
                              parts.clock.steady_now() - began);
    return response;
}

http::Response refuse_early(ApiParts& parts, const http::Request& request, int status,
                            std::string_view sentence) {
    const auto found = parts.routes.find(request.method, request.path);
    const std::size_t index = found.entry == nullptr ? parts.routes.size() : found.entry->index;
    parts.watch.metrics.began();
    parts.watch.metrics.ended(index, status, {});
    return refused(found.entry != nullptr && found.entry->route->form == Form::Flagged, status,
                   sentence);
}

}  // namespace a2h::market
