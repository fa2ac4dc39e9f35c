#pragma once

#include <optional>

#include "core/base/clock.h"
#include "core/base/current.h"
#include "core/http/server.h"
#include "daemon/notify/notification_queue.h"

namespace a2h::web {

/// Calls of the channels' services: POST /hooks/{channel}. Each call is verified by its signature;
/// see daemon/notify/hook_signature.h. Lives as long as the server.
struct Hooks {
    const Current<notify::Audience>& audience;
    const Clock& clock;
    notify::Buttons& buttons;
};

/// nullopt if the request is not such a call.
///
/// Thread:  any.
std::optional<http::Response> serve_hook(const Hooks& hooks, const http::Request& request);

}  // namespace a2h::web
