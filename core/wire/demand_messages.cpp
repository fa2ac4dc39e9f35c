#include "core/wire/demand_messages.h"

#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/enum_names.h"
#include "core/wire/lenient_fields.h"

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
constexpr std::size_t kIdMax = 100;
constexpr std::size_t kReasonMax = 1'000;

/// A participant's message begins with its type and the id that its sender claims.
template <typename Message>
json answer(DemandMessageType type, std::string_view agent_id, const Message& message) {
    json object = written(message);
    object["type"] = to_string(type);
    object["agent_id"] = agent_id;
    return object;
}
template <typename Message>
json request(DemandMessageType type, const Message& message) {
    json object = written(message);
    object["type"] = to_string(type);
    return object;
}

template <typename Message>
std::optional<Message> read_answer(const json& payload) {
    auto message = read_fields<Message>(payload);
    return message.negotiation_id.empty() ? std::nullopt : std::optional(std::move(message));
}
template <typename Message>
std::optional<Message> read_request(const json& payload) {
    auto message = read_answer<Message>(payload);
    return message && message->demand_id.empty() ? std::nullopt : std::move(message);
}

}  // namespace

A2H_ENUM_NAMES(DemandMessageType, parse_demand_message_type, kDemandMessageTypeNames);

/// A plan never binds the requester (R32). The member is written, and read only as such: a message
/// that says otherwise has said something besides.
template <typename Io>
void says_whom_it_binds(Io& io, auto& message) {
    io.only_written("binds_requester", false);
    io.text_if_any("notice", message.notice, kReasonMax);
}

template <typename Io>
void fields(Io& io, Like<DemandOffer> auto& message) {
    io.text("channel_id", message.negotiation_id, kIdMax);
    io.text("demand_id", message.demand_id, kIdMax);
    io.value("demand", message.demand, read_understanding);
    io.number("round", message.round, 0, kNegotiationRoundsMax, 1);
    io.text("filter_reason", message.filter_reason, kReasonMax);
    io.number("match_score", message.match_score, 0, 100);
    io.time_if_any("answer_by_ms", message.answer_by_ms);
}

template <typename Io>
void fields(Io& io, Like<OfferResponse> auto& message) {
    io.text("channel_id", message.negotiation_id, kIdMax);
    io.text("display_name", message.display_name, kIdMax);
    io.within(message.offer, read_offer);
}

template <typename Io>
void fields(Io& io, Like<ProposalReview> auto& message) {
    io.text("channel_id", message.negotiation_id, kIdMax);
    io.text("demand_id", message.demand_id, kIdMax);
    io.value("proposal", message.proposal, read_proposal);
    io.number("round", message.round, 1, kNegotiationRoundsMax);
    io.number("max_rounds", message.max_rounds, message.round, kNegotiationRoundsMax,
              kNegotiationRoundsMax);
    io.time_if_any("answer_by_ms", message.answer_by_ms);
    says_whom_it_binds(io, message);
}

template <typename Io>
void fields(Io& io, Like<ProposalFeedback> auto& message) {
    io.text("channel_id", message.negotiation_id, kIdMax);
    io.number("round", message.round, 0, kNegotiationRoundsMax);
    io.name("feedback_type", message.type, parse_feedback_type, FeedbackType::Negotiate);
    io.text("reasoning", message.reasoning, kReasonMax);
    io.text("adjustment_request", message.adjustment_request, kReasonMax);
    io.price("requested_price", message.wanted_price);
}

template <typename Io>
void fields(Io& io, Like<NegotiationEnded> auto& message) {
    io.text("channel_id", message.negotiation_id, kIdMax);
    io.text("demand_id", message.demand_id, kIdMax);
    io.name("outcome", message.outcome, parse_negotiation_outcome, NegotiationOutcome::Failed);
    io.text("reason", message.reason, kReasonMax);
    io.flag("is_bound", message.is_bound);
    io.value_if_any("proposal", message.proposal, read_proposal);
    says_whom_it_binds(io, message);
}

json to_json(const DemandOffer& message) {
    return request(DemandMessageType::DemandOffer, message);
}
json to_json(const OfferResponse& message, std::string_view agent_id) {
    return answer(DemandMessageType::OfferResponse, agent_id, message);
}
json to_json(const ProposalReview& message) {
    return request(DemandMessageType::ProposalReview, message);
}
json to_json(const ProposalFeedback& message, std::string_view agent_id) {
    return answer(DemandMessageType::ProposalFeedback, agent_id, message);
}
json to_json(const NegotiationEnded& message) {
    return request(DemandMessageType::NegotiationEnded, message);
}

std::optional<DemandOffer> read_demand_offer(const json& payload) {
    return read_request<DemandOffer>(payload);
}
std::optional<OfferResponse> read_offer_response(const json& payload) {
    return read_answer<OfferResponse>(payload);
}
std::optional<ProposalReview> read_proposal_review(const json& payload) {
    return read_request<ProposalReview>(payload);
}
std::optional<ProposalFeedback> read_proposal_feedback(const json& payload) {
    return read_answer<ProposalFeedback>(payload);
}
std::optional<NegotiationEnded> read_negotiation_ended(const json& payload) {
    return read_request<NegotiationEnded>(payload);
}

}  // namespace a2h::wire
