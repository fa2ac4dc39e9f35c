#pragma once

#include <optional>
#include <vector>

#include "core/base/result.h"
#include "core/domain/deal.h"
#include "core/domain/listing.h"
#include "core/domain/message.h"
#include "core/domain/outbox.h"
#include "core/store/database.h"
#include "daemon/deals/book.h"

namespace a2h::consent {

// What messages do in their deals, as acts that are ready to be recorded. Pure but for
// `disarm_unproved`.
//
// Thread:  any; `disarm_unproved`: that of `db`.
// Source:  docs/architecture.md, "Deals".

/// The acts of a message of ours that has an outbox row, in `deal` as it was before. `recent` is
/// the conversation before it, newest first.
std::vector<Act> acts_of_own(const OutboxMessage& message, const std::optional<Deal>& deal,
                             const std::vector<HistoryEntry>& recent = {},
                             const std::optional<Listing>& listing = {});

/// `acts`, which were read in the peer's message, with who said them, when, and how certain that
/// is. Nothing for a forged message.
std::vector<Act> said_by_peer(std::vector<Act> acts, const InboxMessage& message);

/// Makes each of `acts` that comes in the name of a peer without its pinned key one that changes no
/// terms (R49).
///
/// Errors:  those of the database.
Result<void> disarm_unproved(store::Database& db, const deals::Named& named,
                             std::vector<Act>& acts);

/// The acts of a typed message of a peer that an older version has received.
std::vector<Act> acts_of_old(const InboxMessage& message);

}  // namespace a2h::consent
