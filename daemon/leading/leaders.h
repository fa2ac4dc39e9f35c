#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "core/control/home.h"
#include "daemon/config/current.h"
#include "daemon/context/agent.h"
#include "daemon/kernel/services.h"
#include "daemon/leading/lease.h"
#include "daemon/outcome/commits.h"

namespace a2h::leading {

/// Which instance of its agents a home is: 32 hex digits of what `device` holds (made when it is
/// missing), the machine and the place, so that a copy of the folder elsewhere is another one.
/// Errors: Unavailable when the file can be neither read nor made.
Result<std::string> instance_of(const control::Home& home);

/// The leases of the owner's agents: asks the market for each of them every few seconds, opens and
/// closes their gates, and writes and tells when an instance takes over from another.
///
/// What the other instance may have answered is left to the human: messages of the market's history
/// from before (daemon/mail/elsewhere.h), and replies of rules that were queued here when the
/// other one took over (held).
/// Thread: the loop; requests on threads of its own, because a market that hangs must not keep a
/// lease from being renewed behind other calls.
class Leaders {
  public:
    struct View {
        Standing standing = Standing::Asking;
        std::string leader;  ///< instance that acts; empty: nobody, or it is not known
        bool is_ours = false;
    };

    Leaders(const kernel::Services& kernel, const Current<Config>& config, std::string instance,
            const outcome::Commits& commits);
    /// What is asked is waited for, at most as long as a request may take.
    ~Leaders();
    Leaders(const Leaders&) = delete;
    Leaders& operator=(const Leaders&) = delete;

    /// Of an agent, and of those that it made; closed until `watch` and an answer. May be called
    /// before `watch`.
    std::shared_ptr<const LeaseGate> gate_of(const std::string& agent_id);
    /// Begins to ask for the lease of `agent`, which lives until the loop ends.
    void watch(Agent& agent);
    /// Absent for an agent that is not watched.
    std::optional<View> view(const std::string& agent_id) const;
    /// Another instance acts for the agent, so that it is not connected here.
    bool follows(const std::string& agent_id) const;

  private:
    struct Watched;
    void look();
    void ask(Watched& watched);
    void answered(Watched& watched, const Result<LeaseAnswer>& answer, Lease::Time asked_at);
    void acquired(Watched& watched);
    void begin(Watched& watched, bool others_led);
    void lost(Watched& watched);
    void set_gate(Watched& watched);

    const kernel::Services& kernel_;
    const Current<Config>& config_;
    const std::string instance_;
    const outcome::Commits& commits_;
    std::map<std::string, std::shared_ptr<LeaseGate>> gates_;
    std::map<std::string, std::unique_ptr<Watched>> watched_;
    std::unique_ptr<Workers> workers_;  ///< with the first `watch`
};

}  // namespace a2h::leading
