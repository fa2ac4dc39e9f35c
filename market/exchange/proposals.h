#pragma once

#include <string>
#include <string_view>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "market/db/database.h"
#include "market/store/proposal_store.h"
#include "market/store/rfp_store.h"

namespace a2h::market {

// Changes of proposals, each within the caller's transaction.
//
// Errors:  those of `db::Transaction`, besides those that a function names.
// Thread:  that of the transaction.

/// Including withdrawn ones; limits what a summary lists.
inline constexpr std::int64_t kProposalsPerRfpMax = 1000;
inline constexpr std::int64_t kProposalsPerSupplierMax = 10;

/// Adds `proposal` and notifies the RFP's creator.
///
/// Errors:  NotFound if its supplier cannot see the RFP; PermissionDenied if the supplier is no
///          longer matched, or is the creator; Conflict if the RFP is not open, its deadline has
///          passed (whether or not the timer has run), the supplier has another live proposal, or
///          there are too many.
/// Source:  R21, R23.
Result<void> submit_proposal(db::Transaction& transaction, const Proposal& proposal);

struct SeenProposal {
    Proposal proposal;
    Rfp rfp;
    ProposalRole role = ProposalRole::Supplier;
    std::string deal_id{};  ///< empty: no deal was made
};
/// Errors:  NotFound for everybody except its supplier and the RFP's creator (R22).
Result<SeenProposal> see_proposal(db::Transaction& transaction, std::string_view proposal_id,
                                  std::string_view agent_id);

/// Accepts, rejects or withdraws, and notifies the other side; an accepted proposal becomes a deal.
/// A repeated change returns the current state and has no effect. Of two simultaneous changes only
/// one succeeds.
///
/// Errors:  NotFound as above; PermissionDenied for a change that belongs to the other role;
///          Conflict, which names the agent that was first, if it is not pending, the RFP was
///          cancelled, or a session has made its deal.
/// Source:  R24.
Result<SeenProposal> move_proposal(db::Transaction& transaction, std::string_view proposal_id,
                                   std::string_view agent_id, ProposalStatus to, UnixMs now_ms);

}  // namespace a2h::market
