#pragma once

#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/domain/invitation.h"
#include "core/store/outbox_store.h"
#include "daemon/collab/invitations.h"
#include "daemon/collab/thinking.h"
#include "daemon/context/agent.h"
#include "daemon/context/context.h"
#include "daemon/outcome/outcome.h"

namespace a2h::collab {

/// Asks a model what it would say to the invitations and plans that wait for a human, and opens
/// their cards with that. Whatever fails, and after `kThoughtTimeMinMs` at the latest, a card is
/// opened without it. What waits are rows, so a crash loses and doubles nothing.
///
/// Thread: the loop.
class Advisor {
  public:
    struct Environment {
        const Context& context;
        Agents& agents;
        Thinking* thinking = nullptr;  ///< absent: cards are opened at once
        /// Brings the market's profiles, ours among them; calls back on the loop.
        std::function<void(Agent& agent, std::function<void()> done)> refresh_profiles;
        /// After each commit that opened a card.
        std::function<void(const outcome::Effects&, const std::vector<store::OutboxPlace>&)>
            on_effects;
    };
    explicit Advisor(Environment environment);

    /// Takes up every invitation that waits; call at start, and after each commit that may have
    /// marked one. Calls that come together are one look.
    void look();

  private:
    /// The mark, and the agent: a row is thought about once at a time.
    using Key = std::pair<std::string, std::int64_t>;
    static Key key_of(const Invitation& invitation) {
        return {invitation.agent_id, invitation.thought_task_id};
    }
    void look_now();
    void consider(const Invitation& invitation);
    void advise(const Invitation& invitation);
    void ask_human(const Invitation& invitation, Advice advice);

    const Environment environment_;
    std::set<Key> under_way_;
    bool look_posted_ = false;
};

}  // namespace a2h::collab
