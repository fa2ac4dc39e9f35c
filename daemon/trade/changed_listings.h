#pragma once

#include "daemon/config/current.h"
#include "daemon/kernel/kernel.h"
#include "daemon/outcome/commits.h"
#include "daemon/trade/listing_sync.h"

namespace a2h::trade {

/// Asks the owner again about what was drafted from own listings that have changed since.
///
/// Thread:  the loop; it writes by the store writer.
/// Source:  docs/rulings.md, R45.
class ChangedListings {
  public:
    ChangedListings(const kernel::Kernel& kernel, const Current<Config>& config,
                    const outcome::Commits& commits);

    /// Ends the open drafts of `agent_id` about `works_ids`, its own listings.
    void end_drafts(const std::string& agent_id, const std::vector<std::string>& works_ids) const;

    /// Calls `end_drafts`. This object must outlive the result.
    ListingSync::Changed callback() const;

  private:
    const kernel::Kernel& kernel_;
    const Current<Config>& config_;
    const outcome::Commits& commits_;
};

}  // namespace a2h::trade
