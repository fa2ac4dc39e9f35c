#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "core/http/server.h"

namespace a2h::web {

// Server-sent events as text.
//
// Thread:  any.
// Source:  the HTML standard, "Server-sent events".

/// Keeps a connection alive, and detects a dead one.
constexpr std::string_view kHeartbeatPiece = ": still here\n\n";

/// One event. `data` is one line. Without `id` the reader keeps its last id; without `name` the
/// event is a "message".
std::string event_piece(std::string_view id, std::string_view name, std::string_view data);

/// The response whose stream is passed to `begin`, which must not block.
http::Response event_stream(std::function<void(std::shared_ptr<http::Stream>)> begin);

}  // namespace a2h::web
