#pragma once

#include <string>

#include "daemon/config/current.h"
#include "daemon/context/agent.h"
#include "daemon/kernel/kernel.h"
#include "daemon/mail/key_ring.h"

namespace a2h::mail {

/// Knows the market's own agent: asks the market (`GET /v1/market`) when an agent connects, and
/// pins the first answer permanently. Messages signed with that key have the source class
/// *platform* (R3). A different answer later changes nothing and is reported to the human, once. A
/// market that does not answer this is treated as the public platform, which has rules of its own
/// (R13).
///
/// Thread:  the loop; requests run on workers.
class MarketWatch {
  public:
    MarketWatch(const kernel::Kernel& kernel, const Current<Config>& config, KeyRing& key_ring);

    /// Loads what was pinned before. Call before the agent connects.
    void load(Agent& agent);
    /// Call when the agent has connected.
    void ask(Agent& agent);

  private:
    void learned(Agent& agent, const platform::MarketRecord& record);
    void pin(Agent& agent, const platform::MarketRecord& record);
    void notify_of_change(Agent& agent, const platform::MarketRecord& record);

    const kernel::Kernel& kernel_;
    const Current<Config>& config_;
    KeyRing& key_ring_;
};

}  // namespace a2h::mail
