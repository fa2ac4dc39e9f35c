#include "daemon/trade/changed_listings.h"

#include "daemon/consent/changed_listing.h"

namespace a2h::trade {

ChangedListings::ChangedListings(const kernel::Kernel& kernel, const Current<Config>& config,
                                 const outcome::Commits& commits)
    : kernel_(kernel), config_(config), commits_(commits) {}

void ChangedListings::end_drafts(const std::string& agent_id,
                                 const std::vector<std::string>& works_ids) const {
    kernel_.write(
        store::Writer::Priority::Grouped,
        [agent_id, works_ids, policy = policy_of(config_),
         now_ms = kernel_.clock.now_ms()](store::Database& db) {
            return consent::end_drafts_about(db, agent_id, works_ids, *policy, now_ms);
        },
        [this](const Result<void>&) { commits_.rows_written(); });
}

ListingSync::Changed ChangedListings::callback() const {
    return [this](const std::string& agent_id, const std::vector<std::string>& works_ids) {
        end_drafts(agent_id, works_ids);
    };
}

}  // namespace a2h::trade
