#pragma once

#include "core/base/result.h"
#include "core/domain/outbox.h"
#include "core/store/database.h"
#include "daemon/context/agent.h"
#include "daemon/mail/standing.h"

namespace a2h::mail {

// Whether a message that could not be sent at once may still be sent. Its receiver may have said
// something since then that it would answer. `consent::is_judged_late` says for which causes it
// is asked.
//
// Source:  docs/rulings.md, R46.

/// The standing with the receiver of `message`. What the message itself answers or continues does
/// not count as open: the negotiation, the invitation or the bargain that it belongs to.
///
/// Errors:  those of the database.
/// Thread:  the loop.
Result<Standing> standing_with_receiver(store::Database& db, const Agents& agents,
                                        const OutboxMessage& message);

}  // namespace a2h::mail
