#include "daemon/collab/consent.h"

#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/check.h"
#include "core/base/join.h"
#include "core/base/text.h"
#include "core/i18n/normalize.h"
#include "core/store/demand_store.h"
#include "core/store/invitation_store.h"
#include "core/store/outbox_store.h"
#include "core/wire/canonical.h"
#include "core/wire/demand_json.h"
#include "core/wire/json_member.h"
#include "daemon/card/card.h"
#include "daemon/collab/demand_words.h"
#include "daemon/collab/invitations.h"
#include "daemon/collab/join_rules.h"
#include "daemon/collab/received.h"
#include "daemon/collab/steps.h"
#include "daemon/consent/actions.h"
#include "daemon/consent/causes.h"
#include "daemon/consent/door.h"
#include "daemon/consent/terms.h"
#include "daemon/effects/rows.h"

namespace a2h::collab {
namespace {

using nlohmann::json;
using wire::DemandMessageType;

/// The place of this option on a card about a plan.
constexpr std::size_t kLeavePlace = 0;
constexpr std::size_t kSuggestionPlace = 1;

constexpr std::string_view kMandate = "mandate:";

/// How a question ended without a yes. Silence: nobody answered or proved the answer, or the
/// question was withdrawn. Words: the text that the human wants to send instead. Suggestion: the
/// model's answer, which the card showed.
enum class NoYes { Silence, No, Leave, Suggestion, Words };

std::string place_of(const Invitation& invitation) {
    return invitation.agent_id + ":" + invitation.requester_id + ":" + invitation.negotiation_id;
}

std::string shown_line(std::string_view text) {
    return preview(printable(text));
}

/// As the question names them. The card shows them in full.
std::vector<PlanPart> own_parts_read(const Invitation& invitation) {
    const json plan{{"assignments", own_parts(invitation)}};
    return wire::read_proposal(plan).parts;
}

std::string work_in_words(const std::vector<PlanPart>& parts) {
    return shown_line(
        joined_with(" + ", parts, [](const PlanPart& part) { return part.responsibility; }));
}

std::string prices_in_words(const std::vector<PlanPart>& parts, i18n::Language language) {
    const std::string all = joined_with(
        " + ", parts, [&](const PlanPart& part) { return price_in_words(part.price, language); });
    return all.empty() ? price_in_words({}, language) : shown_line(all);
}

Offer offer_of(const Invitation& invitation) {
    return wire::parse_offer(invitation.offer_json).value_or(Offer{});
}

void set_amount(consent::Ask& ask, const std::optional<Price>& price) {
    if (!price || price->amount_minor == 0) return;
    ask.amount_minor = price->amount_minor;
    ask.currency = price->currency;
}

/// True if an answer is a refusal, or holds words of the human: a no then refuses these, and not
/// the demand.
bool is_about_words(std::string_view action, const json& payload) {
    if (action == kJoinAction)
        return wire::text_member(payload, "decision") == to_string(OfferDecision::Decline);
    return wire::text_member(payload, "feedback_type") != to_string(FeedbackType::Accept);
}

/// What the requester is told after a no.
std::string no_to(std::string_view action, i18n::Language language) {
    return i18n::text(language,
                      action == kJoinAction ? "demand.declined" : "demand.not_as_proposed");
}

/// What is sent is exactly what was shown.
wire::OfferResponse addressed(const Invitation& invitation, wire::OfferResponse response) {
    response.negotiation_id = invitation.negotiation_id;
    if (response.display_name.empty()) response.display_name = invitation.agent_id;
    return response;
}

wire::OfferResponse response_of(const Invitation& invitation, Offer offer) {
    return {invitation.negotiation_id, "", std::move(offer)};
}

/// All that a no sends: the card shows every member of it.
json refusal_of(const Invitation& invitation, std::string_view action, const std::string& words) {
    if (action == kJoinAction)
        return wire::to_json(addressed(invitation, response_of(invitation, new_decline(words))),
                             invitation.agent_id);
    return wire::to_json(
        new_objection(invitation.negotiation_id, invitation.round, offer_of(invitation), words),
        invitation.agent_id);
}

consent::Ask new_question(const Invitation& invitation, std::string_view action,
                          DemandMessageType type, const json& payload, const Cause& cause,
                          i18n::Language language) {
    consent::Ask ask;
    ask.agent_id = invitation.agent_id;
    ask.peer_id = invitation.requester_id;
    ask.job_id = cause.job_id;
    ask.action = action;
    json request{{"channel_id", invitation.negotiation_id},
                 {"round", invitation.round},
                 {"message_type", to_string(type)},
                 {"payload", payload}};
    if (cause.suggestion) {
        request["suggestion"] = wire::to_json(*cause.suggestion, invitation.agent_id);
    }
    if (!is_about_words(action, payload)) {
        ask.reject_text = no_to(action, language);
        request["refusal"] = refusal_of(invitation, action, ask.reject_text);
    }
    ask.request_json = wire::canonical_json(request);
    ask.provenance = cause.provenance;
    ask.requested_by = cause.requested_by;
    ask.asked_by = cause.asked_by;
    ask.is_bounded = cause.is_bounded;
    ask.continues_mandate = cause.continues_mandate;
    return ask;
}

/// Describes our offer and our part in the plan.
std::string offered_and_planned(const Invitation& invitation, const std::vector<PlanPart>& parts,
                                i18n::Language language) {
    if (parts.size() != 1 || invitation.offer_json.empty()) return {};
    const Offer offer = offer_of(invitation);
    return card::changes_in_words(
        {{"responsibility", offer.contribution}, {"price", wire::to_json(offer.price)}},
        {{"responsibility", parts[0].responsibility}, {"price", wire::to_json(parts[0].price)}},
        language, i18n::text(language, "demand.label.offered_planned"));
}

std::string advised(const Cause& cause, std::string context) {
    return cause.advice.empty() ? std::move(context) : cause.advice + "\n\n" + context;
}

/// An answer after the requester's deadline has no effect, so the question ends with it.
consent::Question asked_until(const Invitation& invitation, const consent::Ask& ask,
                              const consent::Policy& policy, UnixMs now_ms) {
    consent::Question approval = consent::new_approval(ask, policy, now_ms);
    if (invitation.answer_by_ms > 0 && invitation.answer_by_ms < approval.answer_by_ms) {
        approval.act_by_ms -= approval.answer_by_ms - invitation.answer_by_ms;
        approval.answer_by_ms = invitation.answer_by_ms;
    }
    return approval;
}

OutboxMessage new_answer(const Invitation& invitation, DemandMessageType type, const json& payload,
                         std::string effect_key, std::string_view cause, UnixMs now_ms) {
    OutboxMessage message = effects::new_mail(invitation.agent_id, invitation.requester_id,
                                              to_string(type), payload, cause, now_ms);
    message.effect_key = std::move(effect_key);
    return message;
}

Result<void> check_time(const Invitation& invitation, UnixMs now_ms) {
    if (invitation.answer_by_ms == 0 || now_ms < invitation.answer_by_ms) return {};
    return fail(ErrorCode::Conflict, "the time to answer has passed");
}

Result<void> wrong_state(const Invitation& invitation) {
    return fail(ErrorCode::Conflict, "the invitation to " + invitation.negotiation_id + " is " +
                                         std::string(to_string(invitation.state)));
}

/// The invitation before and after one of its answers is stored.
struct Answering {
    Invitation invitation;
    InvitationState from;
};

/// nullopt if the invitation no longer waits for this approval.
Result<std::optional<Answering>> find_waiting(store::Database& db, const Approval& approval) {
    A2H_ASSIGN_OR_RETURN(auto found, store::invitation_of_approval(db, approval.id));
    const InvitationState waits = approval.action == kJoinAction ? InvitationState::AskedToJoin
                                                                 : InvitationState::AskedToAccept;
    if (!found || found->state != waits) return std::optional<Answering>();
    return std::optional(Answering{std::move(*found), waits});
}

Result<void> store_answer(store::Database& db, const Answering& answering,
                          const OutboxMessage& message) {
    A2H_TRY(store::update_invitation(db, answering.invitation, answering.from));
    const auto place = consent::put_in_outbox(db, message);
    return place ? Result<void>() : fail(place.error());
}

Result<json> payload_of(const Approval& approval) {
    const json action = json::parse(approval.action_json, nullptr, false);
    const json& payload = wire::member(wire::member(action, "request"), "payload");
    if (payload.is_object()) return payload;
    return fail(ErrorCode::Corrupt, "approval " + approval.id + " holds no answer");
}

/// Text that parsing may have shortened is sent and kept as the card showed it.
void keep_whole(Invitation& invitation, OutboxMessage& message, const json& payload) {
    message.payload_json = wire::canonical_json(payload);
    if (message.message_type != to_string(DemandMessageType::OfferResponse)) return;
    json offer = payload;
    for (const char* other : {"type", "channel_id", "agent_id", "display_name"})
        offer.erase(other);
    invitation.offer_json = wire::canonical_json(offer);
}

/// Changes the row of `answering`. The returned message is to be sent.
Result<OutboxMessage> answer_with(Answering& answering, const Approval& approval, UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(const auto payload, payload_of(approval));
    const std::string cause = "approval:" + approval.id;
    if (approval.action == kJoinAction) {
        const auto offer = wire::read_offer_response(payload);
        if (!offer) return fail(ErrorCode::Corrupt, "approval " + approval.id + " holds no offer");
        OutboxMessage message = answer_invitation(answering.invitation, *offer, cause, now_ms);
        keep_whole(answering.invitation, message, payload);
        return message;
    }
    const auto feedback = wire::read_proposal_feedback(payload);
    if (!feedback || feedback->round != answering.invitation.round) {
        return fail(ErrorCode::Conflict, "there is a newer proposal");
    }
    OutboxMessage message = answer_proposal(answering.invitation, *feedback, cause, now_ms);
    keep_whole(answering.invitation, message, payload);
    return message;
}

/// A member of the question's request; null if it has none.
json member_of_request(const Approval& approval, std::string_view name) {
    const json action = json::parse(approval.action_json, nullptr, false);
    return wire::member(wire::member(action, "request"), name);
}

/// Sends an answer to the plan that the card showed: the model's suggestion, or a refusal.
///
/// Errors:  Corrupt.
Result<OutboxMessage> answer_as_shown(Invitation& invitation, const Approval& approval,
                                      const json& answer, UnixMs now_ms) {
    const auto feedback = wire::read_proposal_feedback(answer);
    if (!feedback) return fail(ErrorCode::Corrupt, "approval " + approval.id + " holds no answer");
    OutboxMessage message =
        answer_proposal(invitation, *feedback, "approval:" + approval.id, now_ms);
    keep_whole(invitation, message, answer);
    return message;
}

/// The same for the refusal of an invitation.
Result<OutboxMessage> decline_as_shown(Invitation& invitation, const Approval& approval,
                                       const json& answer, UnixMs now_ms) {
    const auto response = wire::read_offer_response(answer);
    if (!response) return fail(ErrorCode::Corrupt, "approval " + approval.id + " holds no answer");
    OutboxMessage message =
        answer_invitation(invitation, *response, "approval:" + approval.id, now_ms);
    keep_whole(invitation, message, answer);
    return message;
}

/// In the words of the card. Questions of older versions have none.
std::string said_no(const Approval& approval, i18n::Language language) {
    return approval.reject_text.empty() ? no_to(approval.action, language) : approval.reject_text;
}

/// What a no sends, as the card showed it. Questions of older versions hold only the words.
json refusal_in(const Invitation& invitation, const Approval& approval, i18n::Language language) {
    json shown = member_of_request(approval, "refusal");
    return shown.is_object() ? std::move(shown)
                             : refusal_of(invitation, approval.action, said_no(approval, language));
}

Result<OutboxMessage> refuse(Invitation& invitation, NoYes how, const Approval& approval,
                             i18n::Language language, UnixMs now_ms) {
    if (approval.action == kJoinAction) {
        return decline_as_shown(invitation, approval, refusal_in(invitation, approval, language),
                                now_ms);
    }
    if (how == NoYes::Leave) {
        return answer_proposal(
            invitation,
            {invitation.negotiation_id, invitation.round, FeedbackType::Withdraw, {}, {}, {}},
            "approval:" + approval.id, now_ms);
    }
    return answer_as_shown(invitation, approval,
                           how == NoYes::Suggestion ? member_of_request(approval, "suggestion")
                                                    : refusal_in(invitation, approval, language),
                           now_ms);
}

Result<void> send_refusal(store::Database& db, Answering& answering, NoYes how,
                          const Approval& approval, const consent::Policy& policy, UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(const auto message,
                         refuse(answering.invitation, how, approval, policy.language, now_ms));
    return store_answer(db, answering, message);
}

Result<void> wait_on(store::Database& db, Answering& answering, UnixMs now_ms) {
    const bool joins = answering.from == InvitationState::AskedToJoin;
    answering.invitation.state = joins ? InvitationState::New : InvitationState::Reviewing;
    answering.invitation.updated_at_ms = now_ms;
    return store::update_invitation(db, answering.invitation, answering.from);
}

/// The human's words as they would be sent, with the price that was shown.
Result<Approval> in_other_words(store::Database& db, Answering& answering, const Approval& approval,
                                std::string_view words, const consent::Policy& policy,
                                UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(const auto payload, payload_of(approval));
    Invitation& invitation = answering.invitation;
    Cause cause;
    cause.job_id = approval.job_id;
    cause.provenance = approval.provenance;
    cause.requested_by = "approval:" + approval.id;
    cause.asked_by = approval.asked_by;
    consent::Question next;
    if (approval.action == kJoinAction) {
        auto response = wire::read_offer_response(payload).value_or(wire::OfferResponse{});
        response.offer =
            response.offer.decision == OfferDecision::Decline
                ? new_decline(std::string(words))
                : new_offer(std::string(words), {}, response.offer.price, policy.language);
        next = ask_to_join(invitation, response, cause, policy, now_ms);
    } else {
        const auto objection = new_objection(invitation.negotiation_id, invitation.round,
                                             offer_of(invitation), std::string(words));
        next = ask_to_answer(invitation, objection, cause, policy, now_ms);
    }
    A2H_ASSIGN_OR_RETURN(auto opened, consent::open_approval(db, next, policy, now_ms));
    A2H_TRY(store::update_invitation(db, invitation, answering.from));
    return opened;
}

std::string_view key_of_question(const Offer& offer, const Cause& cause) {
    if (offer.decision == OfferDecision::Decline) return "demand.question_decline";
    return cause.has_models_words ? "demand.question_join_worded" : "demand.question_join";
}

std::string_view key_of_question(FeedbackType type) {
    switch (type) {
        case FeedbackType::Accept:
            return "demand.question_accept";
        case FeedbackType::Negotiate:
            return "demand.question_negotiate";
        case FeedbackType::Withdraw:
            return "demand.question_withdraw";
    }
    A2H_CHECK(false);
}

}  // namespace

consent::Question ask_to_join(Invitation& invitation, const wire::OfferResponse& response,
                              const Cause& cause, const consent::Policy& policy, UnixMs now_ms) {
    const wire::Understanding demand = wire::parse_understanding(invitation.demand_json);
    const Offer& offer = response.offer;
    consent::Ask ask =
        new_question(invitation, kJoinAction, DemandMessageType::OfferResponse,
                     wire::to_json(addressed(invitation, response), invitation.agent_id), cause,
                     policy.language);
    set_amount(ask, offer.price);
    ask.reply_text = offer_in_words(offer, policy.language);
    ask.question = i18n::text(policy.language, key_of_question(offer, cause),
                              {{"peer", invitation.requester_id},
                               {"demand", shown_line(demand.surface_demand)},
                               {"contribution", shown_line(offer.contribution)},
                               {"price", price_in_words(offer.price, policy.language)}});
    ask.context = advised(cause, invitation_in_words(invitation, policy.language));
    consent::Question approval = asked_until(invitation, ask, policy, now_ms);
    invitation.state = InvitationState::AskedToJoin;
    invitation.thought_job_id = 0;
    invitation.approval_id = approval.id;
    invitation.updated_at_ms = now_ms;
    return approval;
}

consent::Question ask_to_answer(Invitation& invitation, const wire::ProposalFeedback& feedback,
                                const Cause& cause, const consent::Policy& policy, UnixMs now_ms) {
    const std::vector<PlanPart> parts = own_parts_read(invitation);
    const bool accepts = feedback.type == FeedbackType::Accept;
    const std::optional<Price> own_price = parts.size() == 1 ? parts[0].price : std::nullopt;
    const std::optional<Price> price = accepts ? own_price : feedback.wanted_price;
    consent::Ask ask =
        new_question(invitation, kAcceptAction, DemandMessageType::ProposalFeedback,
                     wire::to_json(feedback, invitation.agent_id), cause, policy.language);
    set_amount(ask, price);
    ask.reply_text = feedback_in_words(feedback, policy.language);
    ask.question = i18n::text(policy.language, key_of_question(feedback.type),
                              {{"peer", invitation.requester_id},
                               {"part", work_in_words(parts)},
                               {"price", accepts ? prices_in_words(parts, policy.language)
                                                 : price_in_words(price, policy.language)},
                               {"words", shown_line(feedback.adjustment_request)}});
    ask.context = advised(cause, offered_and_planned(invitation, parts, policy.language) +
                                     plan_in_words(invitation, policy.language));
    if (feedback.type != FeedbackType::Withdraw)
        ask.options = {i18n::text(policy.language, "demand.option_leave")};  // at kLeavePlace
    if (cause.suggestion) {
        ask.options.push_back(i18n::text(policy.language, "demand.option_suggestion"));
    }
    consent::Question approval = asked_until(invitation, ask, policy, now_ms);
    invitation.state = InvitationState::AskedToAccept;
    invitation.thought_job_id = 0;
    invitation.approval_id = approval.id;
    invitation.updated_at_ms = now_ms;
    return approval;
}

OutboxMessage answer_invitation(Invitation& invitation, const wire::OfferResponse& response,
                                std::string_view cause, UnixMs now_ms) {
    const wire::OfferResponse sent = addressed(invitation, response);
    const bool declines = sent.offer.decision == OfferDecision::Decline;
    invitation.state = declines ? InvitationState::Declined : InvitationState::Joined;
    invitation.offer_json = wire::canonical_json(wire::to_json(sent.offer));
    invitation.answer_by_ms = 0;
    invitation.thought_job_id = 0;
    invitation.updated_at_ms = now_ms;
    return new_answer(invitation, DemandMessageType::OfferResponse,
                      wire::to_json(sent, invitation.agent_id), "offer:" + place_of(invitation),
                      cause, now_ms);
}

OutboxMessage answer_proposal(Invitation& invitation, const wire::ProposalFeedback& feedback,
                              std::string_view cause, UnixMs now_ms) {
    wire::ProposalFeedback sent = feedback;
    sent.negotiation_id = invitation.negotiation_id;
    sent.round = invitation.round;
    const bool leaves = sent.type == FeedbackType::Withdraw;
    invitation.state = leaves ? InvitationState::Withdrawn : InvitationState::Answered;
    invitation.feedback = sent.type;
    invitation.answer_by_ms = 0;
    invitation.thought_job_id = 0;
    invitation.updated_at_ms = now_ms;
    return new_answer(
        invitation, DemandMessageType::ProposalFeedback, wire::to_json(sent, invitation.agent_id),
        "feedback:" + place_of(invitation) + ":" + std::to_string(sent.round), cause, now_ms);
}

Result<void> check_joinable(const Invitation& invitation, UnixMs now_ms) {
    if (invitation.state != InvitationState::New &&
        invitation.state != InvitationState::AskedToJoin) {
        return wrong_state(invitation);
    }
    return check_time(invitation, now_ms);
}

Result<void> check_answerable(const Invitation& invitation, UnixMs now_ms) {
    if (invitation.state != InvitationState::Reviewing &&
        invitation.state != InvitationState::AskedToAccept) {
        return wrong_state(invitation);
    }
    return check_time(invitation, now_ms);
}

namespace {

Result<std::string> send_agreed(store::Database& db, const Approval& approval,
                                const consent::Policy& /*policy*/, UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(auto answering, find_waiting(db, approval));
    if (!answering) {
        return fail(ErrorCode::Conflict, "the negotiation has continued or ended in the meantime");
    }
    A2H_ASSIGN_OR_RETURN(const auto message, answer_with(*answering, approval, now_ms));
    if (approval.answered_by.starts_with(kMandate)) {
        answering->invitation.mandate_id = approval.answered_by.substr(kMandate.size());
    }
    A2H_TRY(store_answer(db, *answering, message));
    return message.message_id;
}

Result<std::string> cancel_agreed(store::Database& db, const Approval& approval,
                                  const consent::Policy& policy, UnixMs now_ms) {
    const json action = json::parse(approval.action_json, nullptr, false);
    const std::string id = wire::text_member(wire::member(action, "request"), "demand_id");
    A2H_ASSIGN_OR_RETURN(const auto negotiation, store::find_negotiation(db, id));
    if (!negotiation) return fail(ErrorCode::NotFound, "there is no negotiation " + id);
    A2H_ASSIGN_OR_RETURN(auto run, read_run(db, negotiation->negotiation_id));
    if (!run) return fail(ErrorCode::NotFound, "there is no negotiation " + id);
    A2H_TRY(write_cancelled({db, policy, now_ms, {}, true}, std::move(*run)));
    return id;
}

/// The meaning of an answer other than a yes.
NoYes meaning_of(const Approval& approval, AnswerKind kind, std::string_view words,
                 bool is_proved) {
    if (kind == AnswerKind::Reject) return is_proved ? NoYes::No : NoYes::Silence;
    // Compares with the text of the card, because the language may have changed since.
    const auto chooses = [&](std::size_t place) {
        return approval.action == kAcceptAction && place < approval.options.size() &&
               i18n::fold(words) == i18n::fold(approval.options[place]);
    };
    if (chooses(kLeavePlace)) return is_proved ? NoYes::Leave : NoYes::Silence;
    if (kind == AnswerKind::Option && chooses(kSuggestionPlace)) {
        return is_proved ? NoYes::Suggestion : NoYes::Silence;
    }
    return NoYes::Words;
}

Result<std::optional<Approval>> follow_refusal(store::Database& db, const Approval& approval,
                                               NoYes how, std::string_view words,
                                               const consent::Policy& policy, UnixMs now_ms) {
    const std::optional<Approval> none;
    A2H_ASSIGN_OR_RETURN(auto found, find_waiting(db, approval));
    if (!found) return none;
    if (how == NoYes::Words) {
        A2H_ASSIGN_OR_RETURN(auto next,
                             in_other_words(db, *found, approval, words, policy, now_ms));
        return std::optional(std::move(next));
    }
    const auto payload = payload_of(approval);
    const bool refuses_words = payload && is_about_words(approval.action, *payload);
    if (how == NoYes::Silence || (how == NoYes::No && refuses_words)) {
        A2H_TRY(wait_on(db, *found, now_ms));
    } else {
        A2H_TRY(send_refusal(db, *found, how, approval, policy, now_ms));
    }
    return none;
}

Result<std::optional<Approval>> end_question(store::Database& db, const Approval& approval,
                                             const consent::Ending& ending,
                                             const consent::Policy& policy, UnixMs now_ms) {
    const NoYes how = ending.by == consent::Ending::By::Answer
                          ? meaning_of(approval, ending.kind, ending.words, ending.is_proved)
                          : NoYes::Silence;
    return follow_refusal(db, approval, how, ending.words, policy, now_ms);
}

/// The requester's own next step, which ends the question or asks it anew.
bool is_mail_of_negotiation(const json& request, std::string_view rule_id,
                            std::string_view payload_json) {
    if (rule_id != kInvitedRule) return false;
    const json payload = json::parse(payload_json, nullptr, false);
    const std::string channel_id = wire::text_member(request, "channel_id");
    return !channel_id.empty() && wire::text_member(payload, "channel_id") == channel_id;
}

constexpr consent::MandateKind kJoinMandate[] = {{mandate_kind(kJoinAction)}};

constexpr consent::ActionRow answer_row(std::string_view action) {
    return {.action = action,
            .mandates = kJoinMandate,
            .own_ids = {.negotiation = "channel_id"},
            .question_quotes_peer = true,
            .is_awaited = true,
            .has_own_way = is_mail_of_negotiation,
            .carry_out = send_agreed,
            .says_no = true,
            .end = end_question};
}

constexpr consent::ActionRow kActions[] = {
    answer_row(kJoinAction),
    answer_row(kAcceptAction),
    {.action = kCancelAction, .question_quotes_peer = true, .carry_out = cancel_agreed},
};

Result<bool> is_negotiation_of_sender(store::Database& db, std::string_view id,
                                      const OutboxMessage& message) {
    A2H_ASSIGN_OR_RETURN(const auto negotiation, store::get_negotiation(db, id));
    return negotiation && negotiation->agent_id == message.agent_id;
}

constexpr consent::CauseRow kCauses[] = {
    {kNegotiationCause, Right::Harmless, true, is_negotiation_of_sender},  // judged when submitted
    {kReleasedCause, Right::OwnHand, false, is_negotiation_of_sender},
    {kFailedCause, Right::Fixed, false, is_negotiation_of_sender},
};

}  // namespace

void register_actions() {
    consent::register_actions(kActions);
    consent::register_causes(kCauses);
    card::register_text_member("raw_input");
}

}  // namespace a2h::collab
