#pragma once

#include <optional>
#include <string>

#include "core/base/clock.h"
#include "core/base/money.h"
#include "daemon/kernel/services.h"
#include "daemon/operations/operation.h"

namespace a2h::operations {

/// What `send` is to send, and what it would bind the owner to.
struct Outgoing {
    std::string payload_json;     ///< canonical
    std::string question_key;     ///< of an offer or an acceptance; empty: an ordinary message
    std::optional<Money> amount;  ///< of these two
    std::string subject;          ///< their summary; foreign text in an acceptance
    std::string offer_json{};     ///< of an acceptance: the offer that is accepted, all of it
    UnixMs act_before_ms = 0;     ///< end of the offer that is accepted; 0: none
    std::string provenance;       ///< of that offer's message
    bool is_bounded = false;      ///< the amount is all that it commits to
    std::string peer_text;        ///< all that the accepted offer says
    std::int64_t accepts_inbox_id = 0;  ///< its row
};

/// Reads the arguments of `send`. An attachment gets its name from its address and its media type
/// from the name where they are not given; ids in the text of orders and listings are not guessed.
///
/// Errors:  InvalidArgument for an empty message, the deprecated `image`, an address that is not
///          http or https, an offer without a readable price, an acceptance without
///          offer_message_id; NotFound when no such offer came from that agent; Conflict when it
///          holds no longer, or when a newer one came about the same listing.
/// Source:  docs/protocol.md, "Payload"; R26, R27.
Result<Outgoing> read_outgoing(const kernel::Services& kernel, const Call& call);

}  // namespace a2h::operations
