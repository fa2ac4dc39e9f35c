#pragma once

#include <optional>
#include <string>

#include "core/base/clock.h"
#include "core/base/money.h"
#include "daemon/kernel/kernel.h"
#include "daemon/operations/operation.h"

namespace a2h::operations {

/// The message that `send` is to send, and the commitment that it would make for the owner.
struct Outgoing {
    std::string payload_json;     ///< canonical
    std::string question_key;     ///< for an offer or an acceptance; empty: an ordinary message
    std::optional<Money> amount;  ///< for an offer or an acceptance
    std::string subject;       ///< summary of an offer or an acceptance; foreign text in the latter
    std::string offer_json{};  ///< for an acceptance: the complete accepted offer
    UnixMs act_before_ms = 0;  ///< end of the accepted offer; 0: none
    std::string provenance;    ///< provenance of that offer's message
    bool is_bounded = false;   ///< the amount states everything that it commits to
    std::string peer_text;     ///< everything that the accepted offer says
    std::int64_t accepts_inbox_id = 0;  ///< row of the accepted offer
};

/// Reads the arguments of `send`. An attachment without a name gets it from its address, and
/// without a media type gets it from the name. Ids of orders and listings in the text are not
/// searched.
///
/// Errors:  InvalidArgument for an empty message, the deprecated `image`, an address that is not
///          http or https, an offer without a readable price, or an acceptance without
///          offer_message_id; NotFound if no such offer came from that agent; Conflict if it has
///          expired, or if a newer one came about the same listing; those of the store.
/// Thread:  the loop.
/// Source:  docs/protocol.md, "Payload"; R26, R27.
Result<Outgoing> read_outgoing(const kernel::Kernel& kernel, const Call& call);

}  // namespace a2h::operations
