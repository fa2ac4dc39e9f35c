#pragma once

#include <string>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/domain/outbox.h"
#include "core/store/database.h"
#include "daemon/consent/policy.h"
#include "daemon/notify/kinds.h"

namespace a2h::mail {

/// Why a message was given up.
enum class GivenUp {
    Expired,         ///< its lifetime has ended
    Unread,          ///< mail could not be read, so the peer may have written meanwhile
    Overtaken,       ///< the peer has written since, or what allowed the message has ended
    ListingChanged,  ///< the listing does not say any more what it said, or cannot be read
    NoPermit,
    Stopped,       ///< the receiver was stopped (`outcome::Delivery`)
    Undeliverable  ///< no agent could receive it; `DeadLetter::error` says why
};

/// A message that was given up.
struct DeadLetter {
    GivenUp why = GivenUp::Expired;
    std::string error{};  ///< instead of the reason's own words for the owner of the machine
};
/// The error that the outbox row keeps, in English; empty for an expired message, whose row keeps
/// the error of the last attempt.
std::string error_of(const DeadLetter& dead);

/// Writes event, notification and audit row of a message that was given up, and takes back the yes
/// of a mandate to it.
///
/// Errors:  those of the database.
/// Thread:  the store writer, inside the caller's transaction.
Result<void> record_dead_letter(store::Database& db, const OutboxMessage& message,
                                const DeadLetter& dead, UnixMs now_ms,
                                const consent::Policy& policy);

/// How the notification is worded. It names the command that sends the message again if that can
/// help.
extern const notify::KindRow kDeadLetterRow;

}  // namespace a2h::mail
