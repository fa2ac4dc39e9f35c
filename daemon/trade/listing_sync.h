#pragma once

#include "daemon/context/agent.h"
#include "daemon/kernel/services.h"

namespace a2h::trade {

/// Keeps the local copy of our own listings, from which answers are made, up to date with the
/// market: at the start, every `kInterval`, and after each change of ours. While the market cannot
/// be reached, the last copy stays in use.
///
/// Thread:  the loop; requests run on workers.
class ListingSync {
  public:
    static constexpr std::chrono::minutes kInterval{5};

    ListingSync(const kernel::Services& kernel, Agents& agents);

    /// Loads the stored copies and starts the timer.
    void start();
    void refresh(Agent& agent);

  private:
    void refresh_all();
    void fetched(Agent& agent, Result<std::vector<Listing>> listings);

    const kernel::Services& kernel_;
    Agents& agents_;
};

}  // namespace a2h::trade
