#pragma once

#include <string_view>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "market/db/database.h"
#include "market/store/deal_store.h"
#include "market/store/proposal_store.h"
#include "market/store/rfp_store.h"
#include "market/store/session_store.h"

namespace a2h::market {

// Notifications to agents about the exchange, queued in the transaction of the change. Texts of
// other agents are in members of their own, never in the sentence that old clients show.
//
// Errors:  those of `db::Transaction`.
// Thread:  that of the transaction.
// Source:  docs/protocol.md, "Events of the exchange".

/// Sends the RFP to an agent that it matches; the description is cut to 2000 characters.
Result<void> notify_matched(db::Transaction& transaction, std::string_view agent_id, const Rfp& rfp,
                            UnixMs now_ms);
/// `event` is "closed", "cancelled" or "deadline_extended". Sent to every supplier with a pending
/// proposal, and to the creator if `to_creator`.
Result<void> notify_rfp_change(db::Transaction& transaction, const Rfp& rfp, std::string_view event,
                               bool to_creator, UnixMs now_ms);
/// `event` is "submitted", "accepted", "rejected" or "withdrawn"; `deal_id` may be empty.
Result<void> notify_proposal(db::Transaction& transaction, std::string_view agent_id,
                             const Proposal& proposal, std::string_view event,
                             std::string_view deal_id, UnixMs now_ms);
/// Sent to the other one of the two. `price` is that of an offer, or of the offer that is accepted
/// or rejected; `deal_id` may be empty.
Result<void> notify_message(db::Transaction& transaction, const Session& session,
                            const SessionMessage& message, const std::optional<Money>& price,
                            std::string_view deal_id, UnixMs now_ms);

/// Sent to both, for a deal made by an acceptance by mail.
Result<void> notify_deal(db::Transaction& transaction, const Session& session,
                         const SessionMessage& accept, std::string_view deal_id);
/// Sent to the sender of an acceptance or rejection by mail to `target_id` that was not accepted.
Result<void> notify_refused(db::Transaction& transaction, const SessionMessage& message,
                            std::string_view target_id, std::string_view reason, UnixMs now_ms);

}  // namespace a2h::market
