#include <array>
#include <optional>

#include "market/api/answer.h"
#include "market/api/authenticate.h"
#include "market/api/service.h"

namespace a2h::market {
namespace {

enum class Access { Public, Signed };

struct Route {
    std::string_view method;
    std::string_view path;  ///< `{…}` stands for one segment
    Access access;
    http::Response (*handler)(Service&, const Call&);
    http::Response (*failure)(const Error&) = market::failure;
};

// Where two patterns fit, the first one counts.
constexpr std::array kRoutes{
    Route{"POST", "/v1/agents", Access::Public, register_agent},
    Route{"GET", "/v1/agents/{agent}", Access::Public, show_agent},
    Route{"POST", "/v1/messages/verify", Access::Signed, verify_message},
    Route{"POST", "/mqtt-token/api/v1/token", Access::Signed, issue_token, token_failure},
    Route{"GET", "/findu-user/api/v1/user/profile/public", Access::Signed, show_profile},
    Route{"POST", "/findu-user/api/v1/user/works/change-requests", Access::Signed, submit_works},
    Route{"POST", "/findu-match/api/v1/inner/match/works_search", Access::Signed, search_works},
    Route{"GET", "/findu-user/api/v1/user/works/public", Access::Signed, list_own_works},
    Route{"GET", "/findu-user/api/v1/user/works/{works}/detail", Access::Signed, show_works},
    Route{"DELETE", "/findu-user/api/v1/user/works/{works}", Access::Signed, delete_works},
};

std::string_view take_segment(std::string_view& path) {
    const std::string_view segment = path.substr(0, path.find('/'));
    path.remove_prefix(std::min(path.size(), segment.size() + 1));
    return segment;
}

/// What stands for the `{…}` of `pattern`; nullopt when `path` does not fit.
std::optional<std::vector<std::string>> match(std::string_view pattern, std::string_view path) {
    std::vector<std::string> arguments;
    while (!pattern.empty() && !path.empty()) {
        const std::string_view wanted = take_segment(pattern);
        const std::string_view found = take_segment(path);
        if (wanted.starts_with('{') && !found.empty()) {
            arguments.emplace_back(found);
        } else if (wanted != found) {
            return std::nullopt;
        }
    }
    if (!pattern.empty() || !path.empty()) return std::nullopt;
    return arguments;
}

http::Response run(const Route& route, Service& service, Call call) {
    if (route.access == Access::Signed) {
        auto caller = authenticate(service, call.request);
        if (!caller) return route.failure(caller.error());
        call.caller = std::move(*caller);
    }
    return route.handler(service, call);
}

}  // namespace

http::Response serve(Service& service, const http::Request& request) {
    bool path_known = false;
    for (const Route& route : kRoutes) {
        auto arguments = match(route.path, request.path);
        if (!arguments) continue;
        path_known = true;
        if (route.method != request.method) continue;
        return run(route, service, {request, std::move(*arguments), {}});
    }
    if (path_known) {
        return failure({ErrorCode::Unsupported, "this path does not know " + request.method});
    }
    return failure({ErrorCode::NotFound, "there is no such path"});
}

}  // namespace a2h::market
