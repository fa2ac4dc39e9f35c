#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/domain/demand.h"
#include "core/wire/demand_json.h"

namespace a2h::wire {

// The messages of a negotiation of many parties. The type is the envelope's `message_type`. The
// envelope proves the sender; `agent_id` does not.
//
// Thread:  any.
// Source:  docs/protocol.md, "Negotiations of many parties".

enum class DemandMessageType {
    DemandOffer,       ///< requester → candidate: the invitation
    OfferResponse,     ///< candidate → requester
    ProposalReview,    ///< requester → participant: the plan of a round
    ProposalFeedback,  ///< participant → requester
    NegotiationEnded   ///< requester → all invited agents
};
std::string_view to_string(DemandMessageType type);
std::optional<DemandMessageType> parse_demand_message_type(std::string_view text);

struct DemandOffer {
    std::string negotiation_id;
    std::string demand_id;
    Understanding demand;
    int round = 1;
    std::string filter_reason;
    int match_score = 0;
    UnixMs answer_by_ms = 0;  ///< 0: not given
};

struct OfferResponse {
    std::string negotiation_id;
    std::string display_name;
    Offer offer;
};

struct ProposalReview {
    std::string negotiation_id;
    std::string demand_id;
    Proposal proposal;  ///< without other participants' notes and prices, unless they are shown
    int round = 1;
    int max_rounds = kNegotiationRoundsMax;
    UnixMs answer_by_ms = 0;
    std::string notice;  ///< that the plan does not bind the requester, in words
};

struct ProposalFeedback {
    std::string negotiation_id;
    int round = 0;  ///< 0: not given; it then refers to the current round
    FeedbackType type = FeedbackType::Negotiate;
    std::string reasoning;
    std::string adjustment_request;
    std::optional<Price> wanted_price;
};

struct NegotiationEnded {
    std::string negotiation_id;
    std::string demand_id;
    NegotiationOutcome outcome = NegotiationOutcome::Failed;
    std::string reason;
    bool is_bound = false;  ///< the receiver accepted and has a part in the plan
    std::optional<Proposal> proposal;
    std::string notice;  ///< that the plan does not bind the requester, in words
};

nlohmann::json to_json(const DemandOffer& message);
nlohmann::json to_json(const OfferResponse& message, std::string_view agent_id);
nlohmann::json to_json(const ProposalReview& message);
nlohmann::json to_json(const ProposalFeedback& message, std::string_view agent_id);
nlohmann::json to_json(const NegotiationEnded& message);

/// nullopt if a required member is missing: `channel_id`, and from the requester also `demand_id`.
/// Members may be snake_case or camelCase.
std::optional<DemandOffer> read_demand_offer(const nlohmann::json& payload);
std::optional<OfferResponse> read_offer_response(const nlohmann::json& payload);
std::optional<ProposalReview> read_proposal_review(const nlohmann::json& payload);
/// A missing or unknown `feedback_type` means negotiate (R33).
std::optional<ProposalFeedback> read_proposal_feedback(const nlohmann::json& payload);
std::optional<NegotiationEnded> read_negotiation_ended(const nlohmann::json& payload);

}  // namespace a2h::wire
