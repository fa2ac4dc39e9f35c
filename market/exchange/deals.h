#pragma once

#include <cstddef>
#include <string>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "market/db/database.h"
#include "market/store/negotiation_store.h"
#include "market/store/proposal_store.h"
#include "market/store/rfp_store.h"

namespace a2h::market {

// Deals are written once, with everything that led to them as it was at that moment: the RFP, the
// proposal, and what was said in the session.

/// Of a session's messages the newest go into the terms, up to this much JSON; `omitted` tells how
/// many older ones stay in the session only.
inline constexpr std::size_t kTermsMessagesBytesMax = 256 * 1024;

/// The deal of `proposal`, which was accepted in this transaction. Answers its id.
/// Errors: Conflict when it has its deal already.
Result<std::string> make_deal_of_proposal(db::Transaction& transaction, const Proposal& proposal,
                                          const Rfp& rfp, UnixMs now_ms);

/// The deal of `offer`, which `accept` accepted in this transaction. Answers its id.
/// Errors: Conflict when the offer, or the proposal that the session is about, has its deal.
Result<std::string> make_deal_of_offer(db::Transaction& transaction, const Negotiation& negotiation,
                                       const NegotiationMessage& offer,
                                       const NegotiationMessage& accept, UnixMs now_ms);

}  // namespace a2h::market
