#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "core/domain/demand.h"
#include "core/wire/demand_messages.h"
#include "daemon/collab/negotiation.h"
#include "daemon/collab/steps.h"

namespace a2h::collab {

// Functions that the steps of a negotiation share. For daemon/collab only.
//
// Errors:  those of the store.
// Thread:  the store writer, inside the caller's transaction.

/// A message that a step sends, with its cause.
struct Posting {
    wire::DemandMessageType type;
    std::string effect;  ///< unique for this receiver
    std::string_view cause = kNegotiationCause;
};
/// Queues the message for one party.
Result<void> send(const Writing& to, const Negotiation& negotiation, const std::string& target_id,
                  const Posting& posting, const nlohmann::json& payload);

/// Writes the row of the negotiation.
///
/// Errors:  Conflict if it has changed since it was read.
Result<void> update(const Writing& to, Negotiation& negotiation);

/// The step `Conclude` sends what remains to be sent.
void begin_end(Run& run, NegotiationOutcome outcome, std::string_view reason);

/// So many code points of the part of somebody else are shown if the whole plan has no room.
constexpr std::size_t kOthersTextMax = 100;

/// The plan as one participant sees it: without the terms of others, unless the requester shows
/// them.
nlohmann::json proposal_for(const Proposal& proposal, const std::string& agent_id, bool shows_terms,
                            std::size_t others_text_max, const std::string& notice);

/// Returns the notice that a plan does not bind the requester (R32), in the language of the demand.
std::string notice_of(const Run& run);

}  // namespace a2h::collab
