#pragma once

#include <stop_token>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "mcp/daemon_call.h"
#include "mcp/era.h"

namespace a2h::mcp {

/// What assistants may look at without a tool: `a2h://status`, `a2h://inbox/{peer}`,
/// `a2h://approvals/{id}`, `a2h://orders/{id}`, `a2h://playbooks/{name}`.
/// Thread: any.
/// Source: MCP, "Resources".
class Resources {
  public:
    /// Resources a page of resources/list.
    static constexpr std::size_t kPageMax = 100;

    /// One resource as it is now.
    struct Content {
        std::string mime_type;
        std::string text;  ///< foreign words fenced
        bool constant = false;
        std::size_t digest = 0;  ///< another one when something happened, not when time passed
    };

    Resources(CallDaemon call_daemon, std::string agent);

    /// Status, playbooks, open approvals and conversations; the last two only where a2hd runs.
    /// Errors: InvalidParams for a cursor that was never given out.
    Outcome list(const nlohmann::json& params, std::stop_token cancelled) const;
    Outcome templates(const nlohmann::json& params) const;
    /// Errors: InvalidParams when there is no such resource in `version`, or ResourceNotFound in
    ///         older ones; InternalError when a2hd could not read it.
    Outcome read(const nlohmann::json& params, Version version, std::stop_token cancelled) const;

    /// Whether `uri` has the form of one of ours; that it exists is not said.
    static bool is_ours(std::string_view uri);
    /// Whether `uri` is read from the market.
    static bool is_remote(std::string_view uri);
    /// Whether `uri` never changes.
    static bool is_constant(std::string_view uri);

    /// Errors: NotFound; those of the daemon's operations. `patient` as in `DaemonCall`.
    Result<Content> content(std::string_view uri, bool patient, std::stop_token cancelled) const;

    /// Ids of the agents that there are messages with, the newest first; empty without a daemon.
    std::vector<std::string> peers(std::stop_token cancelled) const;
    /// Ids of approvals, the newest first, open ones only or all; empty without a daemon.
    std::vector<std::string> approvals(bool open_only, std::stop_token cancelled) const;

  private:
    Result<std::string> call(std::string_view action, nlohmann::json params, bool patient,
                             std::stop_token cancelled) const;

    const CallDaemon call_daemon_;
    const std::string agent_;
};

}  // namespace a2h::mcp
