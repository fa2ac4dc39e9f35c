#pragma once

#include <string>
#include <string_view>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/store/database.h"

namespace a2h::store {

/// Something of a peer's that waits at the market for the owner of the agent that has read it.
struct SeenOffer {
    std::string peer_id;  ///< empty where the market does not tell
    std::string name;  ///< of the member that holds its id: "orderId", "proposal_id", "message_id"
    std::string id;
};

/// Whether the market's news have told `agent_id` of it: then they say since when it waits.
/// Thread: any, with a connection of its own.
Result<bool> was_told_of(Database& db, std::string_view agent_id, const SeenOffer& offer);

/// Notes that `agent_id` has read `offer`; once, however often it is read. The newest
/// `kSeenOffersMax` of an agent are kept. Thread: the store writer.
constexpr int kSeenOffersMax = 1'000;
Result<void> note_seen_offer(Database& db, std::string_view agent_id, const SeenOffer& offer,
                             UnixMs now_ms);

}  // namespace a2h::store
