#include "market/exchange/proposals.h"

#include "market/exchange/deals.h"
#include "market/exchange/events.h"
#include "market/exchange/rfps.h"
#include "market/store/capability_store.h"
#include "market/store/deal_store.h"

namespace a2h::market {
namespace {

Unexpected proposal_conflict(std::string message) {
    return fail(ErrorCode::Conflict, std::move(message));
}

Result<void> check_room(db::Transaction& transaction, const Proposal& proposal) {
    A2H_ASSIGN_OR_RETURN(const auto all, store::count_proposals(transaction, proposal.rfp_id));
    if (all >= kProposalsPerRfpMax) return proposal_conflict("this RFP accepts no more proposals");
    A2H_ASSIGN_OR_RETURN(
        const auto own, store::count_proposals(transaction, proposal.rfp_id, proposal.supplier_id));
    if (own < kProposalsPerSupplierMax) return {};
    return proposal_conflict("you have withdrawn too many proposals for this RFP");
}

Result<void> check_open(const Rfp& rfp, UnixMs now_ms) {
    const RfpStatus status = rfp.status_at(now_ms);
    if (status == RfpStatus::Open) return {};
    return proposal_conflict("this RFP is " + std::string(to_string(status)) +
                             " and accepts no more proposals");
}

/// The agent that made the change to `proposal.status`.
const std::string& mover(const SeenProposal& seen) {
    return seen.proposal.status == ProposalStatus::Withdrawn ? seen.proposal.supplier_id
                                                             : seen.rfp.creator_id;
}

/// The refusal of a change that came too late, with the agent that was first.
Error named(const SeenProposal& seen, Error error) {
    if (error.code != ErrorCode::Conflict) return error;
    error.message += "; it was " + std::string(to_string(seen.proposal.status)) + " by " +
                     mover(seen) + ", who was first";
    return error;
}

Result<void> check_settled(const SeenProposal& seen, ProposalStatus to) {
    if (to == ProposalStatus::Accepted && !seen.deal_id.empty()) {
        return proposal_conflict("this proposal's session has led to the deal " + seen.deal_id);
    }
    if (to != ProposalStatus::Withdrawn && seen.rfp.status == RfpStatus::Cancelled) {
        return proposal_conflict(
            "this RFP was cancelled; its proposals cannot be decided any more");
    }
    return {};
}

}  // namespace

Result<void> submit_proposal(db::Transaction& transaction, const Proposal& proposal) {
    A2H_ASSIGN_OR_RETURN(const auto seen,
                         see_rfp(transaction, proposal.rfp_id, proposal.supplier_id));
    if (seen.role == RfpRole::Creator) {
        return fail(ErrorCode::PermissionDenied, "its creator cannot answer an RFP");
    }
    A2H_ASSIGN_OR_RETURN(const auto matched,
                         store::is_matched(transaction, proposal.rfp_id, proposal.supplier_id));
    if (!matched) {
        return fail(ErrorCode::PermissionDenied, "your capabilities do not match this RFP");
    }
    A2H_TRY(check_open(seen.rfp, proposal.created_at_ms));
    A2H_TRY(check_room(transaction, proposal));
    A2H_ASSIGN_OR_RETURN(const auto added, store::add_proposal(transaction, proposal));
    if (!added) return proposal_conflict("you have a proposal for this RFP; withdraw it first");
    return notify_proposal(transaction, seen.rfp.creator_id, proposal, "submitted", "",
                           proposal.created_at_ms);
}

Result<SeenProposal> see_proposal(db::Transaction& transaction, std::string_view proposal_id,
                                  std::string_view agent_id) {
    A2H_ASSIGN_OR_RETURN(auto proposal, store::find_proposal(transaction, proposal_id));
    A2H_ASSIGN_OR_RETURN(auto rfp, proposal ? store::find_rfp(transaction, proposal->rfp_id)
                                            : Result<std::optional<Rfp>>(std::optional<Rfp>()));
    const bool supplies = proposal && proposal->supplier_id == agent_id;
    const bool created = rfp && rfp->creator_id == agent_id;
    if (!supplies && !created) {
        return fail(ErrorCode::NotFound, "there is no such proposal, or you may not see it");
    }
    A2H_ASSIGN_OR_RETURN(auto deal_id, store::deal_of_proposal(transaction, proposal_id));
    return SeenProposal{std::move(*proposal), std::move(*rfp),
                        created ? ProposalRole::Creator : ProposalRole::Supplier,
                        std::move(deal_id)};
}

Result<SeenProposal> move_proposal(db::Transaction& transaction, std::string_view proposal_id,
                                   std::string_view agent_id, ProposalStatus to, UnixMs now_ms) {
    auto seen = see_proposal(transaction, proposal_id, agent_id);
    if (!seen) return seen;
    const auto allowed = check_proposal_move(seen->proposal.status, to, seen->role);
    if (!allowed) return fail(named(*seen, allowed.error()));
    if (seen->proposal.status == to) return seen;
    A2H_TRY(check_settled(*seen, to));
    A2H_ASSIGN_OR_RETURN(const auto ended,
                         store::end_proposal(transaction, proposal_id, to, now_ms));
    if (!ended)
        return proposal_conflict("the other side has changed the proposal first; read it again");
    seen->proposal.status = to;
    seen->proposal.updated_at_ms = now_ms;
    if (to == ProposalStatus::Accepted) {
        A2H_ASSIGN_OR_RETURN(auto deal_id,
                             make_deal_of_proposal(transaction, seen->proposal, seen->rfp, now_ms));
        seen->deal_id = std::move(deal_id);
    }
    const std::string& other =
        seen->role == ProposalRole::Creator ? seen->proposal.supplier_id : seen->rfp.creator_id;
    A2H_TRY(
        notify_proposal(transaction, other, seen->proposal, to_string(to), seen->deal_id, now_ms));
    return seen;
}

}  // namespace a2h::market
