#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace a2h::mcp {

/// One call of the control protocol.
struct DaemonCall {
    std::string_view method;
    std::string_view params_json;
    /// May be made a second time when the connection ended under it.
    bool repeatable = false;
    /// Starts a2hd where it is not running, and waits for one that is being restarted. Without it
    /// the call only looks: nothing is started for what nobody asked for.
    bool patient = true;
};

/// How calls reach a2hd, `DaemonLink::call` in the program: the envelope (R16), or why there is
/// none. Thread: any.
using CallDaemon =
    std::function<Result<std::string>(const DaemonCall& call, std::stop_token cancelled)>;

}  // namespace a2h::mcp
