#pragma once

#include <optional>
#include <string_view>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/domain/approval.h"
#include "core/domain/outbox.h"
#include "core/store/database.h"
#include "daemon/consent/continuing.h"
#include "daemon/context/agent.h"
#include "daemon/mail/standing.h"

namespace a2h::mail {

// Whether a message that could not be sent at once may still be sent. Its receiver may have said
// something since then that it would answer. `consent::is_judged_late` says for which causes it
// is asked.
//
// Source:  docs/rulings.md, R46.

/// The yes of a mandate that has released `message`; nullopt if a person has, or it needed none.
///
/// Errors:  those of the database.
/// Thread:  that of `db`.
Result<std::optional<Approval>> mandates_yes(store::Database& db, const OutboxMessage& message);

/// Returns the matter (peer and listing) of which `message`, released by a mandate, is a step.
/// Without a listing if there is no such matter, or if it cannot be read.
///
/// Thread:  that of `db`.
std::optional<consent::Subject> late_subject(store::Database& db, const OutboxMessage& message);
/// Whether the listing of that step says what it said at the beginning, by the digest that was read
/// now. False if that cannot be read.
///
/// Thread:  that of `db`.
bool is_step_current(store::Database& db, const OutboxMessage& message,
                     const std::string& listing_digest);

/// Whether `message` is judged again before it is sent late: because of its cause, or because a
/// mandate has released it. True if that cannot be read.
///
/// Thread:  the loop.
bool is_judged_late(store::Database& db, const OutboxMessage& message);

/// Whether a mandate has released `message`. True if that cannot be read.
///
/// Thread:  the loop.
bool is_of_mandate(store::Database& db, const OutboxMessage& message);

/// Takes back what a mandate has approved if its message is given up: the approval has failed, and
/// the human continues the matter.
///
/// Errors:  those of the database.
/// Thread:  the store writer, inside its transaction.
Result<void> take_back_late(store::Database& db, const OutboxMessage& message, std::string_view why,
                            UnixMs now_ms);

/// The standing with the receiver of `message`. What the message itself answers or continues does
/// not count as open: the matter that it belongs to. Open as well if a mandate has released it, and
/// the mandate or what it answered has ended.
///
/// Errors:  those of the database.
/// Thread:  the loop.
Result<Standing> standing_with_receiver(store::Database& db, const Agents& agents,
                                        const OutboxMessage& message, UnixMs now_ms);

}  // namespace a2h::mail
