#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/result.h"
#include "core/domain/approval.h"
#include "core/domain/message.h"
#include "core/store/database.h"
#include "daemon/consent/policy.h"

namespace a2h::consent {

// A yes is for what its card showed. Whatever the peer has written since, unless it is surely
// harmless, makes the card stale: the question is asked anew, beside the newer words, and nothing
// that was made for the one before answers it.
// Source: docs/rulings.md, R45.

/// Questions that one message renews at once; of more, each is renewed when its yes comes.
constexpr int kRenewedAtOnce = 8;
/// Newer messages that one card shows; then the question ends.
constexpr int kSinceMessagesMax = 50;

/// A greeting or thanks in plain words and nothing else: no other member that could say something,
/// no mark, number or sign. Pure.
bool is_harmless(const InboxMessage& message);

/// Adds to `approval`, which is about to be asked, what the peer has written since what it shows
/// already. One that no message caused, and nobody has been shown, begins with the newest there is.
/// Thread: the store writer, inside its transaction.
Result<void> show_newer(store::Database& db, Approval& approval, const Policy& policy);

/// Asks `approval` anew when the peer has written since what its card shows: the question that
/// stands instead, with the same action, digest, end and voters. After `kSinceMessagesMax` messages
/// it is closed, and returned as it was. nullopt: nothing has come. Thread: as above.
Result<std::optional<Approval>> renew(store::Database& db, const Approval& approval,
                                      const Policy& policy, UnixMs now_ms);

/// Renews the questions about the sender of the message `inbox_id` whose yes sends it something,
/// accepts something of it or is about its terms. Thread: as above.
Result<void> renew_older(store::Database& db, std::int64_t inbox_id, const Policy& policy,
                         UnixMs now_ms);

/// The question that stands for `approval` now, along all that were closed for a next one; nullopt
/// when that is none. Thread: any that may read.
Result<std::optional<Approval>> standing_for(store::Database& db, const Approval& approval);

}  // namespace a2h::consent
