#include "daemon/collab/party_answers.h"

#include <nlohmann/json.hpp>

#include "core/store/demand_store.h"
#include "core/wire/demand_messages.h"
#include "daemon/collab/events.h"
#include "daemon/collab/step_parts.h"
#include "daemon/kernel/fault_point.h"

namespace a2h::collab {
namespace {

using nlohmann::json;

Result<Ignored> take_offer(const Writing& to, Negotiation& negotiation, Party& party,
                           const wire::OfferResponse& answer) {
    const bool is_asked = party.state == PartyState::Invited && !is_final(negotiation.state) &&
                          negotiation.outcome == NegotiationOutcome::None;
    if (!is_asked) return Ignored("plan.answer_not_asked");
    party.offer = answer.offer;
    party.state = answer.offer.decision == OfferDecision::Decline ? PartyState::Declined
                                                                  : PartyState::Participating;
    party.answered_at_ms = to.now_ms;
    party.joined_round = negotiation.round;
    A2H_TRY(store::update_party(to.db, party));
    A2H_TRY(update(to, negotiation));
    A2H_TRY(record_offer(to.db, negotiation, party, to.now_ms));
    return Ignored();
}

bool is_asked_for_feedback(const Negotiation& negotiation, const Party& party, int round) {
    return negotiation.state == NegotiationState::Negotiating &&
           party.state == PartyState::Participating && party.joined_round < negotiation.round &&
           (round == 0 || round == negotiation.round);
}

Result<Ignored> take_feedback(const Writing& to, Negotiation& negotiation, Party& party,
                              const wire::ProposalFeedback& answer) {
    if (!is_asked_for_feedback(negotiation, party, answer.round)) {
        return Ignored("plan.answer_not_asked");
    }
    const Feedback feedback{.negotiation_id = negotiation.negotiation_id,
                            .round = negotiation.round,
                            .agent_id = party.agent_id,
                            .type = answer.type,
                            .is_presumed = false,
                            .reasoning = answer.reasoning,
                            .adjustment_request = answer.adjustment_request,
                            .wanted_price = answer.wanted_price,
                            .at_ms = to.now_ms};
    A2H_ASSIGN_OR_RETURN(const auto is_first, store::insert_feedback(to.db, feedback));
    if (!is_first) return Ignored("plan.answer_repeated");
    A2H_TRY(update(to, negotiation));
    A2H_TRY(record_feedback(to.db, negotiation, feedback, to.now_ms));
    if (feedback.type != FeedbackType::Withdraw) return Ignored();
    party.state = PartyState::Withdrawn;
    A2H_TRY(store::update_party(to.db, party));
    A2H_TRY(record_withdrawn(to.db, negotiation, party, feedback, to.now_ms));
    return Ignored();
}

}  // namespace

Result<Ignored> take_answer(const Writing& to, const InboxMessage& message, const json& payload) {
    const auto type = wire::parse_demand_message_type(message.message_type);
    const auto offer = wire::read_offer_response(payload);
    const auto feedback = wire::read_proposal_feedback(payload);
    if (!offer || !feedback) return Ignored("plan.answer_faulty");
    const bool is_proved =
        message.provenance == Provenance::Verified || message.provenance == Provenance::Vouched;
    if (!is_proved) return Ignored("plan.answer_unproved");
    A2H_ASSIGN_OR_RETURN(auto negotiation, store::get_negotiation(to.db, offer->negotiation_id));
    if (!negotiation || negotiation->agent_id != message.agent_id) {
        return Ignored("plan.answer_unknown");
    }
    A2H_ASSIGN_OR_RETURN(auto party,
                         store::get_party(to.db, offer->negotiation_id, message.sender_id));
    if (!party) return Ignored("plan.answer_uninvited");
    A2H_FAULT_POINT("demand.9");
    if (type == wire::DemandMessageType::OfferResponse) {
        return take_offer(to, *negotiation, *party, *offer);
    }
    return take_feedback(to, *negotiation, *party, *feedback);
}

}  // namespace a2h::collab
