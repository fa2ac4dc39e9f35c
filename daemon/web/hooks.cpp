#include "daemon/web/hooks.h"

#include <string>
#include <string_view>

namespace a2h::web {

std::optional<http::Response> serve_hook(const Hooks& hooks, const http::Request& request) {
    constexpr std::string_view kRoot = "/hooks/";
    std::string_view name = request.path;
    if (!name.starts_with(kRoot)) return std::nullopt;
    name.remove_prefix(kRoot.size());
    http::Response response;
    response.status = 404;
    if (request.method != "POST") return response;
    const auto audience = hooks.audience.get();
    for (const auto& channel : audience->channels) {
        if (channel->name() != name) continue;
        const notify::HookRequest call{
            .body = request.body,
            .header =
                [&request](std::string_view header) { return std::string(request.header(header)); },
            .now_ms = hooks.clock.now_ms()};
        notify::HookResponse answer = channel->hook(
            call, [&hooks](const notify::Click& click) { return hooks.buttons.press(click); });
        response.status = answer.status;
        response.body = std::move(answer.body);
        response.headers = {{"Cache-Control", "no-store"}};
        if (!answer.content_type.empty())
            response.headers.emplace_back("Content-Type", std::move(answer.content_type));
    }
    return response;
}

}  // namespace a2h::web
