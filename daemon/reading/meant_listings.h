#pragma once

#include <memory>
#include <vector>

#include "core/domain/listing.h"
#include "core/domain/message.h"
#include "core/wire/payload.h"
#include "daemon/reading/listing_index.h"
#include "daemon/reading/reading.h"

namespace a2h::reading {

/// What a text may be about: what the peer points at, the listings of ours, the conversation.
/// Refers to all of it.
struct MessageContext {
    const wire::PayloadView& payload;
    const std::vector<Listing>& listings;
    const std::shared_ptr<const ListingIndex>& index;  ///< of `listings`; may be nullptr
    const std::vector<HistoryEntry>& recent;           ///< newest first, without this message
};

/// Places of listings in an index.
using Places = std::vector<std::size_t>;

/// The listings of ours that a message is about: that of its works id, those whose titles it names,
/// that of the conversation, those that know its words or state the details it asks for; all that
/// are offered when nothing tells them apart, none for a works id that is not ours.
Places meant_listings(const MessageContext& context, const ListingIndex& index,
                      const Reading& reading, const Vocabulary& vocabulary);

}  // namespace a2h::reading
