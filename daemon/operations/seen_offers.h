#pragma once

#include <functional>
#include <vector>

#include "core/store/seen_offer_store.h"
#include "daemon/collab/profile_sync.h"
#include "daemon/context/agent.h"
#include "daemon/kernel/kernel.h"
#include "daemon/trade/offers_in_answer.h"

namespace a2h::operations {

/// The names by which others may mean this home in words that `reader`, one of its agents, reads.
///
/// Thread:  the loop.
trade::OurNames our_names(const Agents& agents, const Agent& reader);

/// The words of profiles to the agents of this home.
class WordsInProfiles final : public collab::ProfileWords {
  public:
    explicit WordsInProfiles(const Agents& agents) : agents_(agents) {}
    Finder finder(const Agent& reader) const override;

  private:
    const Agents& agents_;
};

/// Records the words of others in `offers` that `agent_id` has read (`trade::offers_in`), unless
/// they are known. Calls `then` on the loop once they are in the database, so that they count as
/// open before anybody can answer what was read.
///
/// Errors:  those of the database.
/// Source:  R46.
void note_what_waits(const kernel::Kernel& kernel, const std::string& agent_id,
                     std::vector<store::SeenOffer> offers,
                     std::function<void(const Result<void>&)> then);

}  // namespace a2h::operations
