#pragma once

#include <map>
#include <memory>
#include <string>

#include "core/control/home.h"
#include "daemon/config/current.h"
#include "daemon/context/agent.h"
#include "daemon/kernel/kernel.h"
#include "daemon/leading/lease.h"
#include "daemon/outcome/commits.h"

namespace a2h::leading {

/// The id of this home as an instance of its agents: 32 hex digits derived from the content of
/// `device` (created if missing), the machine and the path, so that a copy of the folder elsewhere
/// has another id.
///
/// Errors:  Unavailable if the file can be neither read nor created.
Result<std::string> instance_of(const control::Home& home);

/// The leases of the owner's agents. Asks the market for each of them every few seconds, opens and
/// closes their gates, and writes and reports takeovers from another instance.
///
/// What the other instance may have answered is left to the human: older messages of the market's
/// history (daemon/mail/other_instance.h), and replies of rules that were queued here when the
/// other one took over (held).
///
/// Thread:  the loop; requests run on threads of their own, so that a slow market cannot delay the
///          renewal of a lease behind other calls.
class Leaders {
  public:
    struct View {
        Standing standing = Standing::Asking;
        std::string leader;  ///< the acting instance; empty: none or unknown
        bool is_ours = false;
    };

    /// With `serves` false no lease is ever requested, and `watch` is not called.
    Leaders(const kernel::Kernel& kernel, const Current<Config>& config, std::string instance,
            const outcome::Commits& commits, bool serves);
    /// Waits for running requests, at most as long as a request may take.
    ~Leaders();
    Leaders(const Leaders&) = delete;
    Leaders& operator=(const Leaders&) = delete;

    /// The gate of an agent and the agents that it created. Closed until `watch` and an answer of
    /// the market. May be called before `watch`.
    std::shared_ptr<const LeaseGate> gate_of(const std::string& agent_id);
    /// Starts to request the lease of `agent`, which must live until the loop ends.
    void watch(Agent& agent);
    /// Absent for an agent without a watched lease.
    std::optional<View> view(const std::string& agent_id) const;
    /// True if another instance acts for the agent, so that it is not connected here.
    bool follows(const std::string& agent_id) const;

  private:
    struct Watched;
    void check();
    void ask(Watched& watched);
    void answered(Watched& watched, const Result<LeaseAnswer>& answer, Lease::Time asked_at);
    void acquired(Watched& watched);
    void begin(Watched& watched, bool others_led);
    void lost(Watched& watched);
    void set_gate(Watched& watched);

    const kernel::Kernel& kernel_;
    const Current<Config>& config_;
    const std::string instance_;
    const outcome::Commits& commits_;
    std::map<std::string, std::shared_ptr<LeaseGate>> gates_;
    std::map<std::string, std::unique_ptr<Watched>> watched_;
    const std::unique_ptr<Workers> workers_;  ///< null in a process that does not serve
};

}  // namespace a2h::leading
