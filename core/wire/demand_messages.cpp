#include "core/wire/demand_messages.h"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/clock.h"
#include "core/base/enum_names.h"
#include "core/base/text.h"
#include "core/wire/json_member.h"

namespace a2h::wire {
namespace {

using nlohmann::json;

constexpr EnumName<DemandMessageType> kDemandMessageTypeNames[] = {
    {DemandMessageType::DemandOffer, "demand_offer"},
    {DemandMessageType::OfferResponse, "offer_response"},
    {DemandMessageType::ProposalReview, "proposal_review"},
    {DemandMessageType::ProposalFeedback, "proposal_feedback"},
    {DemandMessageType::NegotiationEnded, "negotiation_ended"},
};
static_assert(names_all(kDemandMessageTypeNames));
constexpr std::size_t kIdMax = 100;
constexpr std::size_t kReasonMax = 1'000;

std::string short_text(const json& payload, std::string_view name, std::size_t max = kReasonMax) {
    const json& value = either_member(payload, name);
    if (!value.is_string()) return {};
    return std::string(truncate(value.get_ref<const std::string&>(), max));
}

std::int64_t count_member(const json& payload, std::string_view name, std::int64_t missing) {
    const json& value = either_member(payload, name);
    return value.is_number_integer() ? value.get<std::int64_t>() : missing;
}

int round_member(const json& payload, int missing) {
    return static_cast<int>(
        std::clamp<std::int64_t>(count_member(payload, "round", missing), 0, kRoundsMax));
}

/// Of what a participant sends: ids and type, who claims to have sent it.
json answer_base(DemandMessageType type, const std::string& channel_id, std::string_view agent_id) {
    return {{"type", to_string(type)}, {"channel_id", channel_id}, {"agent_id", agent_id}};
}
json request_base(DemandMessageType type, const std::string& channel_id,
                  const std::string& demand_id) {
    return {{"type", to_string(type)}, {"channel_id", channel_id}, {"demand_id", demand_id}};
}

/// 0 where there is none, or what stands there is no time.
UnixMs time_member(const json& payload, const char* name) {
    const std::int64_t time_ms = count_member(payload, name, 0);
    return is_time(time_ms) ? time_ms : 0;
}

}  // namespace

std::string_view to_string(DemandMessageType type) {
    return name_of(kDemandMessageTypeNames, type);
}

std::optional<DemandMessageType> parse_demand_message_type(std::string_view text) {
    return value_of(kDemandMessageTypeNames, text);
}

json to_json(const DemandOffer& message) {
    json written =
        request_base(DemandMessageType::DemandOffer, message.channel_id, message.demand_id);
    written["demand"] = to_json(message.demand);
    written["round"] = message.round;
    written["filter_reason"] = message.filter_reason;
    written["match_score"] = message.match_score;
    if (message.answer_by_ms > 0) written["answer_by_ms"] = message.answer_by_ms;
    return written;
}

json to_json(const OfferResponse& message, std::string_view agent_id) {
    json written = answer_base(DemandMessageType::OfferResponse, message.channel_id, agent_id);
    written["display_name"] = message.display_name;
    written.update(to_json(message.offer));
    return written;
}

json to_json(const ProposalReview& message) {
    json written =
        request_base(DemandMessageType::ProposalReview, message.channel_id, message.demand_id);
    written["proposal"] = to_json(message.proposal);
    written["round"] = message.round;
    written["max_rounds"] = message.max_rounds;
    if (message.answer_by_ms > 0) written["answer_by_ms"] = message.answer_by_ms;
    return written;
}

json to_json(const ProposalFeedback& message, std::string_view agent_id) {
    json written = answer_base(DemandMessageType::ProposalFeedback, message.channel_id, agent_id);
    written["round"] = message.round;
    written["feedback_type"] = to_string(message.type);
    written["reasoning"] = message.reasoning;
    written["adjustment_request"] = message.adjustment_request;
    if (message.wanted_price) written["requested_price"] = to_json(message.wanted_price);
    return written;
}

json to_json(const NegotiationEnded& message) {
    json written =
        request_base(DemandMessageType::NegotiationEnded, message.channel_id, message.demand_id);
    written["outcome"] = to_string(message.outcome);
    written["reason"] = message.reason;
    written["is_bound"] = message.is_bound;
    if (message.proposal) written["proposal"] = to_json(*message.proposal);
    return written;
}

std::optional<DemandOffer> read_demand_offer(const json& payload) {
    DemandOffer read;
    read.channel_id = short_text(payload, "channel_id", kIdMax);
    read.demand_id = short_text(payload, "demand_id", kIdMax);
    if (read.channel_id.empty() || read.demand_id.empty()) return std::nullopt;
    read.demand = read_understanding(member(payload, "demand"));
    read.round = round_member(payload, 1);
    read.filter_reason = short_text(payload, "filter_reason");
    read.match_score =
        static_cast<int>(std::clamp<std::int64_t>(count_member(payload, "match_score", 0), 0, 100));
    read.answer_by_ms = time_member(payload, "answer_by_ms");
    return read;
}

std::optional<OfferResponse> read_offer_response(const json& payload) {
    OfferResponse read;
    read.channel_id = short_text(payload, "channel_id", kIdMax);
    if (read.channel_id.empty()) return std::nullopt;
    read.display_name = short_text(payload, "display_name", kIdMax);
    read.offer = read_offer(payload);
    return read;
}

std::optional<ProposalReview> read_proposal_review(const json& payload) {
    ProposalReview read;
    read.channel_id = short_text(payload, "channel_id", kIdMax);
    read.demand_id = short_text(payload, "demand_id", kIdMax);
    if (read.channel_id.empty() || read.demand_id.empty()) return std::nullopt;
    read.proposal = read_proposal(member(payload, "proposal"));
    read.round = std::max(1, round_member(payload, 1));
    read.max_rounds = static_cast<int>(std::clamp<std::int64_t>(
        count_member(payload, "max_rounds", kRoundsMax), read.round, kRoundsMax));
    read.answer_by_ms = time_member(payload, "answer_by_ms");
    return read;
}

std::optional<ProposalFeedback> read_proposal_feedback(const json& payload) {
    ProposalFeedback read;
    read.channel_id = short_text(payload, "channel_id", kIdMax);
    if (read.channel_id.empty()) return std::nullopt;
    read.round = round_member(payload, 0);
    read.type = parse_feedback_type(short_text(payload, "feedback_type", kIdMax))
                    .value_or(FeedbackType::Negotiate);
    read.reasoning = short_text(payload, "reasoning");
    read.adjustment_request = short_text(payload, "adjustment_request");
    read.wanted_price = read_price(either_member(payload, "requested_price"));
    return read;
}

std::optional<NegotiationEnded> read_negotiation_ended(const json& payload) {
    NegotiationEnded read;
    read.channel_id = short_text(payload, "channel_id", kIdMax);
    read.demand_id = short_text(payload, "demand_id", kIdMax);
    if (read.channel_id.empty() || read.demand_id.empty()) return std::nullopt;
    read.outcome = parse_channel_outcome(short_text(payload, "outcome", kIdMax))
                       .value_or(ChannelOutcome::Failed);
    read.reason = short_text(payload, "reason");
    const json& bound = either_member(payload, "is_bound");
    read.is_bound = bound.is_boolean() && bound.get<bool>();
    if (member(payload, "proposal").is_object()) {
        read.proposal = read_proposal(member(payload, "proposal"));
    }
    return read;
}

}  // namespace a2h::wire
