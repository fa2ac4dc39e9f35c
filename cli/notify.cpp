#include <nlohmann/json.hpp>

#include "cli/daemon_call.h"
#include "cli/handlers.h"
#include "cli/render.h"

namespace a2h::cli {

using nlohmann::json;

Outcome run_notify_test(const Invocation& invocation) {
    json params = json::object();
    if (invocation.has("CHANNEL")) params["channel"] = invocation.value("CHANNEL");
    return call_daemon(invocation, "notify.test", std::move(params), render_channels);
}

Outcome run_notify_list(const Invocation& invocation) {
    return call_daemon(invocation, "notify.list", json::object(), render_notifications);
}

}  // namespace a2h::cli
