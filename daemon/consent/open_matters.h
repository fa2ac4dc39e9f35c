#pragma once

#include <cstdint>
#include <vector>

#include "core/base/result.h"
#include "core/domain/approval.h"
#include "core/domain/listing.h"
#include "core/store/database.h"
#include "core/store/open_matter_store.h"

namespace a2h::consent {

// The matters that are open with a peer. While anything is open, no assistant and no mandate speaks
// for the owner.
//
// Source:  docs/rulings.md, R46 and R52.

/// Whether a peer's message to an agent with the own listings `listings` leaves anything open. That
/// a rule stayed silent proves nothing: whether a text was a courtesy or an acceptance depends on
/// what was said before. That a rule answered proves only that it understood a part of the message.
/// So nothing is open after greetings, thanks, and questions that were answered and did nothing but
/// ask for facts. Members beside text, listing and order are not judged. Pure.
bool leaves_open(const store::Heard& heard, const std::vector<Listing>& listings);

/// Whether a question, an offer, an order or something that could be one waits or is unread between
/// a peer and an agent with the own listings `listings`.
///
/// Errors:  those of the database.
/// Thread:  any, with a connection of its own.
Result<bool> is_open(store::Database& db, const store::Between& between,
                     const std::vector<Listing>& listings);

/// True while anything other than the matter of `approval` is open with its peer, for any agent of
/// this home. Then no mandate says yes. Messages in the peer's name without its key do not count
/// (R49), and neither does the row of the offer that a yes would accept (`Claims`).
///
/// Errors:  those of the database.
/// Thread:  the store writer.
Result<bool> is_other_open(store::Database& db, const Approval& approval,
                           std::int64_t accepts_inbox_id = 0);
/// True while anything is open for any agent of this home with `between.peer_id`, other than what
/// `between` leaves out. `job_id` is the job of a message that is left out as well; 0: none.
///
/// Errors:  those of the database.
/// Thread:  that of `db`.
Result<bool> is_open_beside(store::Database& db, store::Between between, std::int64_t job_id);

}  // namespace a2h::consent
