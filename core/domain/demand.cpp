#include "core/domain/demand.h"

#include <array>
#include <utility>

namespace a2h {
namespace {

constexpr std::array kChannelStates{
    std::pair{ChannelState::Created, "created"},
    std::pair{ChannelState::Broadcasting, "broadcasting"},
    std::pair{ChannelState::Collecting, "collecting"},
    std::pair{ChannelState::Aggregating, "aggregating"},
    std::pair{ChannelState::ProposalSent, "proposal_sent"},
    std::pair{ChannelState::Negotiating, "negotiating"},
    std::pair{ChannelState::Finalized, "finalized"},
    std::pair{ChannelState::Failed, "failed"},
};
constexpr std::array kOnTimeouts{
    std::pair{OnTimeout::Default, "default"},
    std::pair{OnTimeout::Accept, "accept"},
    std::pair{OnTimeout::Ignore, "ignore"},
    std::pair{OnTimeout::Decline, "decline"},
};
constexpr std::array kChannelOutcomes{
    std::pair{ChannelOutcome::None, "none"},           std::pair{ChannelOutcome::Agreed, "agreed"},
    std::pair{ChannelOutcome::Partial, "partial"},     std::pair{ChannelOutcome::Failed, "failed"},
    std::pair{ChannelOutcome::Cancelled, "cancelled"},
};
constexpr std::array kPartyStates{
    std::pair{PartyState::Reserve, "reserve"},
    std::pair{PartyState::Invited, "invited"},
    std::pair{PartyState::Participating, "participating"},
    std::pair{PartyState::Declined, "declined"},
    std::pair{PartyState::Silent, "silent"},
    std::pair{PartyState::Withdrawn, "withdrawn"},
};
constexpr std::array kOfferDecisions{
    std::pair{OfferDecision::Participate, "participate"},
    std::pair{OfferDecision::Conditional, "conditional"},
    std::pair{OfferDecision::Decline, "decline"},
};
constexpr std::array kFeedbackTypes{
    std::pair{FeedbackType::Accept, "accept"},
    std::pair{FeedbackType::Negotiate, "negotiate"},
    std::pair{FeedbackType::Withdraw, "withdraw"},
};

template <typename Names, typename Value>
std::string_view demand_name(const Names& names, Value value) {
    return names[static_cast<std::size_t>(value)].second;
}

template <typename Names>
auto parse_demand_name(const Names& names, std::string_view text)
    -> std::optional<decltype(names[0].first)> {
    for (const auto& [value, name] : names) {
        if (text == name) return value;
    }
    return std::nullopt;
}

}  // namespace

std::string_view to_string(ChannelState value) {
    return demand_name(kChannelStates, value);
}
std::optional<ChannelState> parse_channel_state(std::string_view text) {
    return parse_demand_name(kChannelStates, text);
}
bool is_final(ChannelState value) {
    return value == ChannelState::Finalized || value == ChannelState::Failed;
}

std::string_view to_string(OnTimeout value) {
    return demand_name(kOnTimeouts, value);
}
std::optional<OnTimeout> parse_on_timeout(std::string_view text) {
    return parse_demand_name(kOnTimeouts, text);
}

std::string_view to_string(ChannelOutcome value) {
    return demand_name(kChannelOutcomes, value);
}
std::optional<ChannelOutcome> parse_channel_outcome(std::string_view text) {
    return parse_demand_name(kChannelOutcomes, text);
}

std::string_view to_string(PartyState value) {
    return demand_name(kPartyStates, value);
}
std::optional<PartyState> parse_party_state(std::string_view text) {
    return parse_demand_name(kPartyStates, text);
}

std::string_view to_string(OfferDecision value) {
    return demand_name(kOfferDecisions, value);
}
std::optional<OfferDecision> parse_offer_decision(std::string_view text) {
    return parse_demand_name(kOfferDecisions, text);
}

std::string_view to_string(FeedbackType value) {
    return demand_name(kFeedbackTypes, value);
}
std::optional<FeedbackType> parse_feedback_type(std::string_view text) {
    return parse_demand_name(kFeedbackTypes, text);
}

}  // namespace a2h
