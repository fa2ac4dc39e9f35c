#include <nlohmann/json.hpp>

#include "market/api/answer.h"
#include "market/api/authenticate.h"
#include "market/api/route_table.h"

namespace a2h::market {
namespace {

using nlohmann::json;

/// Built from constants at the first request, and never changed.
const RouteTable& table() {
    static const RouteTable built;
    return built;
}

http::Response refuse(const Route& route, const Error& error) {
    return route.form == Form::Service ? service_failure(error) : failure(error);
}

http::Response answer(const RouteTable::Entry& entry, Service& service, const Call& call) {
    const Route& route = *entry.route;
    if (route.form == Form::Raw) return route.raw_handler(service, call);
    const auto data = route.handler(service, call);
    if (!data) return refuse(route, data.error());
    return route.form == Form::Service ? service_success(*data) : success(*data);
}

http::Response run(const RouteTable::Entry& entry, Service& service, const http::Request& request,
                   std::vector<std::string> arguments) {
    const Route& route = *entry.route;
    Agent caller;
    if (route.access == Access::Signed) {
        auto agent = authenticate(service, request);
        if (!agent) return refuse(route, agent.error());
        caller = std::move(*agent);
    }
    const auto query = read_query(request, *entry.query_schema);
    if (!query) return refuse(route, query.error());
    const auto body = entry.body_schema ? read_body(request, *entry.body_schema, entry.strictness)
                                        : Result<json>(json::object());
    if (!body) return refuse(route, body.error());
    return answer(entry, service,
                  {request, std::move(arguments), std::move(caller), *query, *body});
}

}  // namespace

http::Response serve(Service& service, const http::Request& request) {
    auto found = table().find(request.method, request.path);
    if (found.entry == nullptr && found.allowed_methods.empty()) {
        return failure({ErrorCode::NotFound, "there is no such path"});
    }
    if (found.entry == nullptr) {
        auto response =
            failure({ErrorCode::Unsupported, "this path does not know " + request.method});
        response.headers.emplace_back("Allow", found.allowed_methods);
        return response;
    }
    try {
        return run(*found.entry, service, request, std::move(found.arguments));
    } catch (const std::exception& e) {
        return refuse(*found.entry->route,
                      {ErrorCode::Internal, std::string("a handler threw ") + e.what()});
    }
}

}  // namespace a2h::market
