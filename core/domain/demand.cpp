#include "core/domain/demand.h"

#include "core/base/enum_names.h"

namespace a2h {
namespace {

constexpr EnumName<ChannelState> kChannelStateNames[] = {
    {ChannelState::Created, "created"},
    {ChannelState::Broadcasting, "broadcasting"},
    {ChannelState::Collecting, "collecting"},
    {ChannelState::Aggregating, "aggregating"},
    {ChannelState::ProposalSent, "proposal_sent"},
    {ChannelState::Negotiating, "negotiating"},
    {ChannelState::Finalized, "finalized"},
    {ChannelState::Failed, "failed"},
};
static_assert(names_all(kChannelStateNames));
constexpr EnumName<OnTimeout> kOnTimeoutNames[] = {
    {OnTimeout::Default, "default"},
    {OnTimeout::Accept, "accept"},
    {OnTimeout::Ignore, "ignore"},
    {OnTimeout::Decline, "decline"},
};
static_assert(names_all(kOnTimeoutNames));
constexpr EnumName<ChannelOutcome> kChannelOutcomeNames[] = {
    {ChannelOutcome::None, "none"},           {ChannelOutcome::Agreed, "agreed"},
    {ChannelOutcome::Partial, "partial"},     {ChannelOutcome::Failed, "failed"},
    {ChannelOutcome::Cancelled, "cancelled"},
};
static_assert(names_all(kChannelOutcomeNames));
constexpr EnumName<PartyState> kPartyStateNames[] = {
    {PartyState::Reserve, "reserve"},
    {PartyState::Invited, "invited"},
    {PartyState::Participating, "participating"},
    {PartyState::Declined, "declined"},
    {PartyState::Silent, "silent"},
    {PartyState::Withdrawn, "withdrawn"},
};
static_assert(names_all(kPartyStateNames));
constexpr EnumName<OfferDecision> kOfferDecisionNames[] = {
    {OfferDecision::Participate, "participate"},
    {OfferDecision::Conditional, "conditional"},
    {OfferDecision::Decline, "decline"},
};
static_assert(names_all(kOfferDecisionNames));
constexpr EnumName<FeedbackType> kFeedbackTypeNames[] = {
    {FeedbackType::Accept, "accept"},
    {FeedbackType::Negotiate, "negotiate"},
    {FeedbackType::Withdraw, "withdraw"},
};
static_assert(names_all(kFeedbackTypeNames));

}  // namespace

std::string_view to_string(ChannelState value) {
    return name_of(kChannelStateNames, value);
}
std::optional<ChannelState> parse_channel_state(std::string_view text) {
    return value_of(kChannelStateNames, text);
}
bool is_final(ChannelState value) {
    return value == ChannelState::Finalized || value == ChannelState::Failed;
}

std::string_view to_string(OnTimeout value) {
    return name_of(kOnTimeoutNames, value);
}
std::optional<OnTimeout> parse_on_timeout(std::string_view text) {
    return value_of(kOnTimeoutNames, text);
}

std::string_view to_string(ChannelOutcome value) {
    return name_of(kChannelOutcomeNames, value);
}
std::optional<ChannelOutcome> parse_channel_outcome(std::string_view text) {
    return value_of(kChannelOutcomeNames, text);
}

std::string_view to_string(PartyState value) {
    return name_of(kPartyStateNames, value);
}
std::optional<PartyState> parse_party_state(std::string_view text) {
    return value_of(kPartyStateNames, text);
}

std::string_view to_string(OfferDecision value) {
    return name_of(kOfferDecisionNames, value);
}
std::optional<OfferDecision> parse_offer_decision(std::string_view text) {
    return value_of(kOfferDecisionNames, text);
}

std::string_view to_string(FeedbackType value) {
    return name_of(kFeedbackTypeNames, value);
}
std::optional<FeedbackType> parse_feedback_type(std::string_view text) {
    return value_of(kFeedbackTypeNames, text);
}

}  // namespace a2h
