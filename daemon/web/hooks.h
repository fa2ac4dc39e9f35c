#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/clock.h"
#include "core/base/current.h"
#include "core/http/server.h"
#include "daemon/notify/notification_queue.h"

namespace a2h::web {

/// Where the services of channels call: POST /hooks/{channel}. Every call is proved by its
/// signature; see daemon/notify/hook_signature.h. Lives as long as the server.
struct Hooks {
    const Current<notify::Audience>& audience;
    const Clock& clock;
    notify::Buttons& buttons;
};

/// nullopt when the request is none of these. Thread: any.
std::optional<http::Response> serve_hook(const Hooks& hooks, const http::Request& request);

}  // namespace a2h::web
