#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/store/open_matter_store.h"

namespace a2h::store {

// Matters that are open with a peer at the market: orders, proposals, requests and sessions.
//
// Errors:  those of the database.
// Thread:  any, with a connection of its own.
// Source:  docs/rulings.md, R46.

/// Since when a thing of the peer waits there, according to the market's news or to what was read
/// there: an order that this agent, its customer, has to confirm or refuse, a request, a proposal,
/// or a message of a session. nullopt: none waits.
Result<std::optional<UnixMs>> open_at_market_since(Database& db, const Between& between);

/// The market's news that say something of the peer, newest first: at most `max`. They count if
/// they came after the last yes to a text that answered no message (`SaidAfter::since_release`).
Result<std::vector<Said>> market_news_after(Database& db, std::string_view agent_id,
                                            std::string_view peer_id, const SaidAfter& after,
                                            int max);

}  // namespace a2h::store
