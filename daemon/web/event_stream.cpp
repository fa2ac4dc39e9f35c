#include "daemon/web/event_stream.h"

#include <utility>

namespace a2h::web {

std::string event_piece(std::string_view id, std::string_view name, std::string_view data) {
    std::string piece;
    if (!id.empty()) piece.append("id: ").append(id).append("\n");
    if (!name.empty()) piece.append("event: ").append(name).append("\n");
    return piece.append("data: ").append(data).append("\n\n");
}

http::Response event_stream(std::function<void(std::shared_ptr<http::Stream>)> begin) {
    http::Response response;
    response.headers = {{"Content-Type", "text/event-stream; charset=utf-8"},
                        {"Cache-Control", "no-cache, no-store"},
                        {"X-Content-Type-Options", "nosniff"},
                        {"X-Accel-Buffering", "no"}};
    response.stream = std::move(begin);
    return response;
}

}  // namespace a2h::web
