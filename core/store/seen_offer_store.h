#pragma once

#include <string>
#include <string_view>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/store/database.h"

namespace a2h::store {

/// An item of a peer at the market that waits for the owner and was read by their agent.
struct SeenOffer {
    std::string peer_id;  ///< empty if the market does not say
    std::string name;  ///< name of the member with its id: "orderId", "proposal_id", "message_id"
    std::string id;
};

/// Whether the market's news have already informed `agent_id` of it; they also say when it began to
/// wait.
///
/// Thread:  any, with a connection of its own.
Result<bool> was_told_of(Database& db, std::string_view agent_id, const SeenOffer& offer);

/// Records that `agent_id` has read `offer`, once, however often it is read. The newest
/// `kSeenOffersMax` of an agent are kept.
///
/// Thread:  the store writer.
constexpr int kSeenOffersMax = 1'000;
Result<void> note_seen_offer(Database& db, std::string_view agent_id, const SeenOffer& offer,
                             UnixMs now_ms);

}  // namespace a2h::store
