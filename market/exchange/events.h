#pragma once

#include <string_view>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "market/db/database.h"
#include "market/store/deal_store.h"
#include "market/store/negotiation_store.h"
#include "market/store/proposal_store.h"
#include "market/store/rfp_store.h"

namespace a2h::market {

// What agents are told of the exchange, queued in the transaction of the move. What another agent
// wrote stands in members of its own, never in the sentence that old clients show.
// Source: docs/protocol.md, "Events of the exchange".

/// The RFP itself to an agent that it matches; its description is cut to 2000 characters.
Result<void> tell_matched(db::Transaction& transaction, std::string_view agent_id, const Rfp& rfp,
                          UnixMs now_ms);
/// `event` is "closed", "cancelled" or "deadline_extended"; to every supplier whose proposal is
/// pending, and to the creator when `to_creator`.
Result<void> tell_rfp_change(db::Transaction& transaction, const Rfp& rfp, std::string_view event,
                             bool to_creator, UnixMs now_ms);
/// `event` is "submitted", "accepted", "rejected" or "withdrawn"; `deal_id` may be empty.
Result<void> tell_proposal(db::Transaction& transaction, std::string_view agent_id,
                           const Proposal& proposal, std::string_view event,
                           std::string_view deal_id, UnixMs now_ms);
/// To the other one of the two; `deal_id` may be empty.
Result<void> tell_message(db::Transaction& transaction, const Negotiation& negotiation,
                          const NegotiationMessage& message, std::string_view deal_id,
                          UnixMs now_ms);

/// To both, of the deal that an acceptance by mail has made.
Result<void> tell_deal(db::Transaction& transaction, const Negotiation& negotiation,
                       const NegotiationMessage& accept, std::string_view deal_id);
/// To the sender of an acceptance or rejection by mail that was not taken.
Result<void> tell_refused(db::Transaction& transaction, const NegotiationMessage& message,
                          std::string_view reason, UnixMs now_ms);

}  // namespace a2h::market
