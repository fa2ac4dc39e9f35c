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
    /// May be repeated if the connection was lost during the call.
    bool repeatable = false;
    /// Starts a2hd if it is not running, and waits for one that is restarting. Without it, the call
    /// neither starts nor waits, for reads that no user requested.
    bool patient = true;
};

/// Calls a2hd, in the program by `DaemonLink::call`: returns the envelope (R16) or an error.
///
/// Thread:  any.
using CallDaemon =
    std::function<Result<std::string>(const DaemonCall& call, std::stop_token cancelled)>;

}  // namespace a2h::mcp
