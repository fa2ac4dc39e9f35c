#pragma once

#include <set>
#include <string>
#include <utility>

#include "core/domain/invitation.h"
#include "core/store/outbox_store.h"
#include "daemon/collab/invitations.h"
#include "daemon/collab/profile_sync.h"
#include "daemon/collab/thinking.h"
#include "daemon/config/current.h"
#include "daemon/context/agent.h"
#include "daemon/context/unread_mail.h"
#include "daemon/kernel/kernel.h"
#include "daemon/outcome/commits.h"
#include "daemon/outcome/outcome.h"

namespace a2h::collab {

/// Asks a model how it would answer invitations and plans that wait for a human, and opens their
/// cards with its advice. If anything fails, and after `kThoughtTimeMinMs` at the latest, a card is
/// opened without advice. The waiting items are rows of the database, so a crash neither loses nor
/// doubles one.
///
/// Thread:  the loop.
class Advisor {
  public:
    /// Without `thinking`, cards are opened at once.
    Advisor(const kernel::Kernel& kernel, const Current<Config>& config, Agents& agents,
            ProfileSource& profiles, const UnreadMail& unread_mail, Thinking* thinking,
            const outcome::Commits& commits);

    /// Takes up every invitation that waits. Call it at the start and after each commit that may
    /// have marked one. Calls that come together are handled as one.
    void check_waiting();

  private:
    /// The mark and the agent: a row is considered by the model once at a time.
    using Key = std::pair<std::string, std::int64_t>;
    static Key key_of(const Invitation& invitation) {
        return {invitation.agent_id, invitation.thought_job_id};
    }
    void check_now();
    void consider(const Invitation& invitation);
    void advise(const Invitation& invitation);
    void ask_human(const Invitation& invitation, Advice advice);
    void write(const Thought& thought);

    const kernel::Kernel& kernel_;
    const Current<Config>& config_;
    Agents& agents_;
    ProfileSource& profiles_;
    const UnreadMail& unread_mail_;
    Thinking* const thinking_;
    const outcome::Commits& commits_;
    std::set<Key> under_way_;
    bool check_posted_ = false;
};

}  // namespace a2h::collab
