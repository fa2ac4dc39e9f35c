#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "core/base/result.h"
#include "core/store/writer.h"
#include "daemon/agents/local_agents.h"
#include "daemon/config/current.h"
#include "daemon/context/agent.h"
#include "daemon/kernel/kernel.h"
#include "daemon/outcome/commits.h"

namespace a2h::agents {

/// Takes one of the owner's own agents out of this home again. Its account at the market stays.
///
/// Thread:  the loop.
class Removal {
  public:
    Removal(const kernel::Kernel& kernel, const Current<Config>& config, const Agents& agents,
            std::filesystem::path agents_dir, Residents& residents, MailboxKeeper& mailboxes,
            const outcome::Commits& commits);

    /// The steps to take once the owner has proved who they are.
    struct Steps {
        store::Writer::Work write;     ///< puts the identity aside and ends the agent's work
        std::function<void()> finish;  ///< after the commit, on the loop: closes its mailbox
    };
    /// Errors:  NotFound; InvalidArgument for an agent that was created here, which is stopped
    ///          instead; Conflict for the default agent.
    Result<Steps> steps_for(const std::string& agent_id);

  private:
    const kernel::Kernel& kernel_;
    const Current<Config>& config_;
    const Agents& agents_;
    const std::filesystem::path agents_dir_;
    Residents& residents_;
    MailboxKeeper& mailboxes_;
    const outcome::Commits& commits_;
};

}  // namespace a2h::agents
