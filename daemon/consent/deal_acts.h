#pragma once

#include <optional>
#include <vector>

#include "core/domain/deal.h"
#include "core/domain/listing.h"
#include "core/domain/message.h"
#include "core/domain/outbox.h"

namespace a2h::consent {

// What messages do in their deals, as acts that are ready to be recorded. Pure.

/// The acts of a message of ours that has an outbox row, in `deal` as it was before. `recent` is
/// the conversation before it, newest first.
std::vector<Act> acts_of_own(const OutboxMessage& message, const std::optional<Deal>& deal,
                             const std::vector<HistoryEntry>& recent = {},
                             const std::optional<Listing>& listing = {});

/// `acts`, which were read in the peer's message, with who said them, when, and how certain that
/// is. Nothing for a forged message.
std::vector<Act> said_by_peer(std::vector<Act> acts, const InboxMessage& message);

/// The acts of a typed message of a peer that an older version has received.
std::vector<Act> acts_of_old(const InboxMessage& message);

}  // namespace a2h::consent
