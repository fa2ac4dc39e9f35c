#pragma once

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "mcp/daemon_call.h"
#include "mcp/version.h"

namespace a2h::mcp {

/// The resources that assistants can read without a tool: `a2h://status`, `a2h://inbox/{peer}`,
/// `a2h://approvals/{id}`, `a2h://orders/{id}`, `a2h://playbooks/{name}`.
///
/// Thread:  any.
/// Source:  MCP, "Resources".
class Resources {
  public:
    /// Resources in one page of resources/list.
    static constexpr std::size_t kPageMax = 100;

    /// The current content of a resource.
    struct Content {
        std::string mime_type;
        std::string text;  ///< with foreign words fenced
        bool constant = false;
        std::size_t digest = 0;  ///< changes when something happens, but not as time passes
    };

    Resources(CallDaemon call_daemon, std::string agent);

    /// Status, playbooks, open approvals and conversations; the last two only while a2hd is
    /// running.
    ///
    /// Errors:  InvalidParams for a cursor that was never issued.
    Outcome list(const nlohmann::json& params, std::stop_token cancelled) const;
    Outcome templates(const nlohmann::json& params) const;
    /// Errors:  InvalidParams if there is no such resource in `version`, or ResourceNotFound in
    ///          older ones; InternalError if a2hd could not read it.
    Outcome read(const nlohmann::json& params, Version version, std::stop_token cancelled) const;

    /// Whether `uri` has the form of one of ours; it need not exist.
    static bool is_ours(std::string_view uri);
    /// Whether `uri` is read from the market.
    static bool is_remote(std::string_view uri);
    /// Whether `uri` never changes.
    static bool is_constant(std::string_view uri);

    /// Errors:  NotFound; those of the daemon's operations. `patient` is as in `DaemonCall`.
    Result<Content> content(std::string_view uri, bool patient, std::stop_token cancelled) const;

    /// Ids of the agents with whom messages were exchanged, newest first; empty without a daemon.
    std::vector<std::string> peers(std::stop_token cancelled) const;
    /// Ids of approvals, newest first, open ones only or all; empty without a daemon.
    std::vector<std::string> approvals(bool open_only, std::stop_token cancelled) const;

  private:
    Result<std::string> call(std::string_view action, nlohmann::json params, bool patient,
                             std::stop_token cancelled) const;

    const CallDaemon call_daemon_;
    const std::string agent_;
};

}  // namespace a2h::mcp
