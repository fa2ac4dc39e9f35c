#pragma once

#include <memory>
#include <vector>

#include "core/domain/listing.h"
#include "core/domain/message.h"
#include "core/wire/payload.h"
#include "daemon/reading/listing_index.h"
#include "daemon/reading/reading.h"

namespace a2h::reading {

/// The things that a text may refer to: the peer's references, our listings, the conversation.
/// Keeps references to all of it.
struct MessageContext {
    const wire::PayloadView& payload;
    const std::vector<Listing>& listings;
    const std::shared_ptr<const ListingIndex>& index;  ///< index of `listings`; may be nullptr
    const std::vector<HistoryEntry>& recent;           ///< newest first, without this message
};

/// Positions of listings in an index.
using Places = std::vector<std::size_t>;

/// Our listings that a message is about: the one of its works id, those whose titles it names, that
/// of the conversation, or those that contain its words or state the requested details. All offered
/// listings if nothing distinguishes them; none for a works id that is not ours.
Places meant_listings(const MessageContext& context, const ListingIndex& index,
                      const Reading& reading, const Vocabulary& vocabulary);

}  // namespace a2h::reading
