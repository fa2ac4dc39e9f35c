#pragma once

#include <cstddef>
#include <string>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "market/db/database.h"
#include "market/store/proposal_store.h"
#include "market/store/rfp_store.h"
#include "market/store/session_store.h"

namespace a2h::market {

// Deals are written once, with everything that led to them as it was at that time: the RFP, the
// proposal, and the messages of the session.
//
// Errors:  those of `db::Transaction`, besides those that a function names.
// Thread:  that of the transaction.

/// The newest messages of a session are included in the terms, up to this size of JSON; `omitted`
/// is the number of older ones, which stay only in the session.
inline constexpr std::size_t kTermsMessagesBytesMax = 256 * 1024;

/// Creates the deal of `proposal`, which was accepted in this transaction, and returns its id.
///
/// Errors:  Conflict if it already has a deal.
Result<std::string> make_deal_of_proposal(db::Transaction& transaction, const Proposal& proposal,
                                          const Rfp& rfp, UnixMs now_ms);

/// Creates the deal of `offer`, which `accept` accepted in this transaction, and returns its id.
///
/// Errors:  Conflict if the offer, or the proposal of the session, already has a deal.
Result<std::string> make_deal_of_offer(db::Transaction& transaction, const Session& session,
                                       const SessionMessage& offer, const SessionMessage& accept,
                                       UnixMs now_ms);

}  // namespace a2h::market
