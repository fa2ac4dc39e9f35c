#include "core/domain/demand.h"

#include "core/base/enum_names.h"

namespace a2h {
namespace {

constexpr EnumName<NegotiationState> kNegotiationStateNames[] = {
    {NegotiationState::Created, "created"},
    {NegotiationState::Broadcasting, "broadcasting"},
    {NegotiationState::Collecting, "collecting"},
    {NegotiationState::Aggregating, "aggregating"},
    {NegotiationState::ProposalSent, "proposal_sent"},
    {NegotiationState::Negotiating, "negotiating"},
    {NegotiationState::Finalized, "finalized"},
    {NegotiationState::Failed, "failed"},
};
constexpr EnumName<OnTimeout> kOnTimeoutNames[] = {
    {OnTimeout::Default, "default"},
    {OnTimeout::Accept, "accept"},
    {OnTimeout::Ignore, "ignore"},
    {OnTimeout::Decline, "decline"},
};
constexpr EnumName<NegotiationOutcome> kNegotiationOutcomeNames[] = {
    {NegotiationOutcome::None, "none"},           {NegotiationOutcome::Agreed, "agreed"},
    {NegotiationOutcome::Partial, "partial"},     {NegotiationOutcome::Failed, "failed"},
    {NegotiationOutcome::Cancelled, "cancelled"},
};
constexpr EnumName<PartyState> kPartyStateNames[] = {
    {PartyState::Reserve, "reserve"},
    {PartyState::Invited, "invited"},
    {PartyState::Participating, "participating"},
    {PartyState::Declined, "declined"},
    {PartyState::Silent, "silent"},
    {PartyState::Withdrawn, "withdrawn"},
};
constexpr EnumName<OfferDecision> kOfferDecisionNames[] = {
    {OfferDecision::Participate, "participate"},
    {OfferDecision::Conditional, "conditional"},
    {OfferDecision::Decline, "decline"},
};
constexpr EnumName<FeedbackType> kFeedbackTypeNames[] = {
    {FeedbackType::Accept, "accept"},
    {FeedbackType::Negotiate, "negotiate"},
    {FeedbackType::Withdraw, "withdraw"},
};

}  // namespace

A2H_ENUM_NAMES(NegotiationState, parse_negotiation_state, kNegotiationStateNames);
bool is_final(NegotiationState value) {
    return value == NegotiationState::Finalized || value == NegotiationState::Failed;
}

A2H_ENUM_NAMES(OnTimeout, parse_on_timeout, kOnTimeoutNames);
A2H_ENUM_NAMES(NegotiationOutcome, parse_negotiation_outcome, kNegotiationOutcomeNames);

A2H_ENUM_NAMES(PartyState, parse_party_state, kPartyStateNames);
A2H_ENUM_NAMES(OfferDecision, parse_offer_decision, kOfferDecisionNames);

A2H_ENUM_NAMES(FeedbackType, parse_feedback_type, kFeedbackTypeNames);

}  // namespace a2h
