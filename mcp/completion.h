#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "mcp/daemon_call.h"
#include "mcp/resources.h"
#include "mcp/version.h"

namespace a2h::mcp {

/// Completes arguments of prompts and variables of resource templates with our own ids and names,
/// never with a peer's words.
///
/// Thread:  any.
/// Source:  MCP, "Completion".
class Completion {
  public:
    static constexpr std::size_t kValuesMax = 100;

    /// `resources` must outlive the object.
    Completion(const Resources& resources, CallDaemon call_daemon, std::string agent);

    /// First values that begin with the text so far, then those that contain it.
    ///
    /// Errors:  InvalidParams for something that cannot be completed.
    Outcome complete(const nlohmann::json& params, std::stop_token cancelled);

  private:
    using Values = std::vector<std::string>;
    struct Kept {
        std::chrono::steady_clock::time_point until;
        Values values;
    };

    Values values_of(std::string_view kind, std::stop_token cancelled);
    /// Clients ask at every key press, so the market's answer is used for a short time.
    Values ids_from_market(std::string_view kind, std::stop_token cancelled);

    const Resources& resources_;
    const CallDaemon call_daemon_;
    const std::string agent_;
    std::mutex mutex_;
    std::map<std::string, Kept, std::less<>> kept_;
};

}  // namespace a2h::mcp
