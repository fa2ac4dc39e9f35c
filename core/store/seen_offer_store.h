#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/store/database.h"

namespace a2h::store {

/// Words of a peer at the market that were read by an agent of this home and that may ask for
/// something, offer it or accept it: an item that waits for the owner, or a post.
struct SeenOffer {
    std::string peer_id;  ///< empty if the market does not say
    std::string name;     ///< name of the member with its id: "orderId", "worksId", …
    std::string id;
    /// The digest of each member, or an empty text for an empty member. Empty for what cannot be
    /// changed, although a list may show less of it: an order, a proposal, a message of a session.
    std::map<std::string, std::string> words = {};
    /// Its members as JSON, for the card of a text that could answer them; plain text in rows of
    /// older versions.
    std::string shown = {};
};

/// Whether `offer` is recorded with the same words.
///
/// Errors:  those of the database.
/// Thread:  any, with a connection of its own.
Result<bool> is_known_offer(Database& db, std::string_view agent_id, const SeenOffer& offer);

/// The maximum number of rows of one peer, and of all peers, for each agent.
constexpr int kSeenOffersOfPeerMax = 200;
constexpr int kSeenOffersMax = 5'000;

/// Records that `agent_id` has read `offers`. An offer that was recorded before keeps the time when
/// it was first read; if its words have changed, or more of them were read now, it gets `now_ms`.
/// What the market's news have told before counts from that time on, because they say when it began
/// to wait. Beyond the limits the oldest rows become one row with the newest of their times: of the
/// peer, or of an unknown peer, which stands for everybody.
///
/// Errors:  those of the database.
/// Thread:  the store writer.
Result<void> note_seen_offers(Database& db, std::string_view agent_id,
                              std::span<const SeenOffer> offers, UnixMs now_ms);

}  // namespace a2h::store
