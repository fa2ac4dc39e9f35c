#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "core/http/server.h"

namespace a2h::web {

// Server-sent events as text. Source: the HTML standard, "Server-sent events". Thread: any.

/// Keeps a connection alive, and shows when it is dead.
constexpr std::string_view kHeartbeatPiece = ": still here\n\n";

/// One event. `data` is one line; without `id` a reader keeps the one that it had, without `name`
/// it is a "message".
std::string event_piece(std::string_view id, std::string_view name, std::string_view data);

/// The answer that `begin` is handed the stream of; `begin` must not block.
http::Response event_stream(std::function<void(std::shared_ptr<http::Stream>)> begin);

}  // namespace a2h::web
