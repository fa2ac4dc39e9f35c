#pragma once

#include <vector>

#include "core/base/result.h"
#include "core/domain/approval.h"
#include "core/domain/bargain.h"
#include "core/domain/listing.h"
#include "core/store/database.h"
#include "core/store/unanswered_store.h"

namespace a2h::consent {

// What is open with a peer: while anything is, no assistant and no mandate speaks for the owner.
// Source: docs/rulings.md, R46 and R52.

/// How much is open, from the least to the most.
enum class Open {
    Nothing,
    Answered,   ///< a rule has answered what may have said more than it asked
    Something,  ///< a question, an offer, an order or what could be one waits, or is not read
};

/// What is open between a peer and an agent, whose own listings are `listings`. Errors: the
/// database's. Thread: any, with a connection of its own.
Result<Open> what_is_open(store::Database& db, const store::Between& between,
                          const std::vector<Listing>& listings);

/// True while anything that is not what `approval` itself is about is open with its peer, for any
/// agent of the house: then no mandate says yes. What came in the peer's name without its key does
/// not count (R49). Errors: the database's. Thread: the store writer.
Result<bool> is_other_open(store::Database& db, const Approval& approval);
/// The same for a bargain, whose moves are not open; it goes on with the message that
/// `question` is about, or with none where that is null.
Result<bool> is_other_open(store::Database& db, const Bargain& bargain, const Approval* question);

}  // namespace a2h::consent
