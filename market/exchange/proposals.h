#pragma once

#include <string>
#include <string_view>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "market/db/database.h"
#include "market/store/proposal_store.h"
#include "market/store/rfp_store.h"

namespace a2h::market {

// Moves of proposals, each within the caller's transaction.

/// Withdrawn ones included: a bound on what a summary lists.
inline constexpr std::int64_t kProposalsPerRfpMax = 1000;
inline constexpr std::int64_t kProposalsPerSupplierMax = 10;

/// Adds `proposal` and tells the RFP's creator.
///
/// Errors:  NotFound when its supplier does not see the RFP; PermissionDenied when it is not
///          matched any more, or is the creator; Conflict when the RFP is not open, its deadline
///          has come (whether or not the timer ran), the supplier has another live proposal, or
///          there are too many.
/// Source:  R21, R23.
Result<void> submit_proposal(db::Transaction& transaction, const Proposal& proposal);

struct SeenProposal {
    Proposal proposal;
    Rfp rfp;
    ProposalRole role = ProposalRole::Supplier;
    std::string deal_id{};  ///< empty: no deal was made
};
/// Errors: NotFound for everybody but its supplier and the RFP's creator (R22).
Result<SeenProposal> see_proposal(db::Transaction& transaction, std::string_view proposal_id,
                                  std::string_view agent_id);

/// Accepts, rejects or withdraws and tells the other side; an accepted one becomes a deal. A repeat
/// answers what is and changes nothing. Of two that race one wins.
///
/// Errors:  NotFound as above; PermissionDenied for a move of the other role; Conflict, which names
///          who was first, when it is not pending, or the RFP was cancelled, or a session has made
///          its deal.
/// Source:  R24.
Result<SeenProposal> move_proposal(db::Transaction& transaction, std::string_view proposal_id,
                                   std::string_view agent_id, ProposalStatus to, UnixMs now_ms);

}  // namespace a2h::market
