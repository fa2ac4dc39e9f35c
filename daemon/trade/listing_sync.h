#pragma once

#include <functional>
#include <string>
#include <vector>

#include "daemon/context/agent.h"
#include "daemon/kernel/kernel.h"

namespace a2h::trade {

/// Keeps the local copy of our own listings, from which answers are made, up to date with the
/// market: at the start, every `kInterval`, and after each change of ours. While the market cannot
/// be reached, the last copy stays in use.
///
/// Thread:  the loop; requests run on workers.
class ListingSync {
  public:
    static constexpr std::chrono::minutes kInterval{5};

    /// Receives the listings of an agent that have changed or are gone.
    using Changed =
        std::function<void(const std::string& agent_id, const std::vector<std::string>& works_ids)>;

    ListingSync(const kernel::Kernel& kernel, Agents& agents, Changed changed);

    /// Loads the stored copies and starts the timer.
    void start();
    void refresh(Agent& agent);

  private:
    void refresh_all();
    void fetched(Agent& agent, Result<std::vector<Listing>> listings);

    const kernel::Kernel& kernel_;
    Agents& agents_;
    const Changed changed_;
};

}  // namespace a2h::trade
