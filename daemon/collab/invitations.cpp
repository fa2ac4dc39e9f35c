#include "daemon/collab/invitations.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/ids.h"
#include "core/base/text.h"
#include "core/store/inbox_store.h"
#include "core/store/invitation_store.h"
#include "core/store/job_store.h"
#include "core/wire/canonical.h"
#include "core/wire/demand_json.h"
#include "core/wire/json_member.h"
#include "daemon/collab/consent.h"
#include "daemon/collab/demand_words.h"
#include "daemon/collab/join_rules.h"
#include "daemon/collab/negotiation.h"
#include "daemon/collab/received.h"
#include "daemon/consent/approvals.h"
#include "daemon/consent/job_state.h"
#include "daemon/consent/renewal.h"
#include "daemon/effects/rows.h"

namespace a2h::collab {
namespace {

using nlohmann::json;
using wire::DemandMessageType;

/// One message while it is processed. What follows from it is added to `effects`.
struct Taking {
    store::Database& db;
    const InboxMessage& message;
    const Settings& settings;
    UnixMs now_ms;
    Asks asks;
    outcome::Effects effects;
    json detail;

    i18n::Language language() const { return settings.approval.language; }
    std::string text(std::string_view key, i18n::Arguments arguments = {}) const {
        return i18n::text(language(), key, arguments);
    }
    bool is_proved() const {
        return message.provenance == Provenance::Verified ||
               message.provenance == Provenance::Vouched;
    }
};

/// The message with what its envelope says, which the requester has signed as well.
json all_said_in(const Taking& taking) {
    return json::parse(consent::all_said_in(taking.message), nullptr, false);
}

void settle(Taking& taking, std::string_view rule, std::string_view why_key) {
    taking.effects.job->rule_id = rule;
    taking.effects.job->why = taking.text(why_key);
}

Result<void> ignore(Taking& taking, std::string_view why_key) {
    settle(taking, kIgnoredInvitationRule, why_key);
    return {};
}

Cause cause_of(std::int64_t job_id, Provenance provenance) {
    Cause cause;
    cause.job_id = job_id;
    cause.provenance = to_string(provenance);
    cause.requested_by = "rule:" + std::string(kInvitedRule);
    return cause;
}

/// The question whether to take part, in the words of a model if it has given any.
consent::Question question_to_join(Invitation& invitation, Cause cause,
                                   const std::optional<OfferAdvice>& advice,
                                   const Settings& settings, UnixMs now_ms) {
    const Options& table = settings.negotiation;
    const i18n::Language language = settings.approval.language;
    Offer offer = owners_offer(table, language);
    if (advice) {
        cause.advice = advice_in_words(advice->decision, advice->reasoning, language);
        if (advice->decision != OfferDecision::Decline) {
            cause.has_models_words = true;
            cause.advice =
                advice_in_words(advice->decision, advice->reasoning, language, table.contribution);
            offer = worded_offer(table, advice->contribution, advice->conditions, language);
        }
    }
    cause.is_bounded = is_plain_demand(invitation) && is_owners_offer(table, offer, language);
    const wire::OfferResponse response{invitation.negotiation_id, table.display_name, offer};
    return ask_to_join(invitation, response, cause, settings.approval, now_ms);
}

/// The question whether to accept the plan, independent of a model's advice.
consent::Question question_to_accept(Invitation& invitation, Cause cause,
                                     const std::optional<FeedbackAdvice>& advice,
                                     const Settings& settings, UnixMs now_ms) {
    const i18n::Language language = settings.approval.language;
    const Offer offered = wire::parse_offer(invitation.offer_json).value_or(Offer{});
    cause.is_bounded = check_plan(invitation) == PartCheck::AsOffered;
    if (cause.is_bounded) cause.continues_mandate = invitation.mandate_id;
    wire::ProposalFeedback said{
        invitation.negotiation_id, invitation.round, FeedbackType::Accept, {}, {}, {}};
    if (advice) {
        said.type = advice->type;
        said.reasoning = advice->reasoning;
        said.adjustment_request = advice->request;
        if (advice->type == FeedbackType::Negotiate) {
            said.wanted_price = offered.price;
            cause.suggestion = said;
        }
        cause.advice = advice_in_words(said, language);
    }
    const wire::ProposalFeedback acceptance{
        invitation.negotiation_id, invitation.round, FeedbackType::Accept, {}, {}, {}};
    return ask_to_answer(invitation, acceptance, cause, settings.approval, now_ms);
}

consent::Question question_about(Invitation& invitation, const Cause& cause, const Advice& advice,
                                 const Settings& settings, UnixMs now_ms) {
    return invitation.state == InvitationState::New
               ? question_to_join(invitation, cause, advice.offer, settings, now_ms)
               : question_to_accept(invitation, cause, advice.feedback, settings, now_ms);
}

/// Whether a model is asked before the human: there is a model, it has enough time, and no mandate
/// answers.
Result<bool> is_for_model(const Taking& taking, const Invitation& invitation,
                          const consent::Question& question) {
    constexpr UnixMs kDayMs = 24 * 3600 * 1000;
    const UnixMs left_ms = invitation.answer_by_ms - taking.now_ms;
    const bool has_time = invitation.answer_by_ms == 0 || left_ms >= kThoughtTimeMinMs;
    if (!taking.asks.model || !has_time) return false;
    A2H_ASSIGN_OR_RETURN(const auto lately, store::count_invitations_since(
                                                taking.db, invitation.agent_id,
                                                invitation.requester_id, taking.now_ms - kDayMs));
    // The count does not include the invitation that has just arrived.
    const int of_one = lately + (invitation.state == InvitationState::New ? 1 : 0);
    if (of_one > kThoughtOfOneADayMax) return false;
    A2H_ASSIGN_OR_RETURN(
        const auto covered,
        consent::is_covered(taking.db, question, taking.settings.approval, taking.now_ms));
    return !covered;
}

/// A mandate or a human gives the yes. If there is a model, it is asked before the human.
Result<void> ask(Taking& taking, Invitation& invitation) {
    Job& job = *taking.effects.job;
    Invitation asked = invitation;
    consent::Question approval = question_about(asked, cause_of(job.id, taking.message.provenance),
                                                {}, taking.settings, taking.now_ms);
    approval.claims.is_bounded = approval.claims.is_bounded && taking.asks.mandate;
    job.state = JobState::WaitingForHuman;
    job.decision = "ask";
    job.why = taking.text("demand.why_asked");
    A2H_ASSIGN_OR_RETURN(const auto thinks, is_for_model(taking, invitation, approval));
    if (thinks) {
        invitation.thought_job_id = job.id;
        job.why = taking.text("demand.why_thinking");
        return {};
    }
    invitation = std::move(asked);
    taking.detail["approval_id"] = approval.id;
    taking.effects.approval = std::move(approval);
    return {};
}

/// Removes the mark if the question that a model was to advise on has been settled.
Result<void> drop_thought(Taking& taking, const Invitation& before, std::string_view why) {
    return consent::settle_job(taking.db, before.thought_job_id, why, taking.now_ms);
}

void send_by_rule(Taking& taking, OutboxMessage message, std::string_view rule,
                  std::string_view why_key) {
    settle(taking, rule, why_key);
    taking.effects.job->decision = "answer";
    taking.effects.outbox.push_back(std::move(message));
}

std::string cause_of_rule(std::string_view rule) {
    return "rule:" + std::string(rule);
}

/// The member `name` of the message as JSON text; an empty object if it is not an object.
std::string received(const json& payload, std::string_view name) {
    const json& object = wire::member(payload, name);
    return wire::canonical_json(object.is_object() ? object : json::object());
}

// Invitations.

Result<void> decide(Taking& taking, Invitation& invitation, const wire::DemandOffer& offer) {
    const JoinDecision decision =
        decide_invitation(taking.settings.negotiation, offer.demand, taking.language());
    const wire::OfferResponse response{invitation.negotiation_id,
                                       taking.settings.negotiation.display_name, decision.offer};
    if (!decision.decline_rule.empty()) {
        send_by_rule(taking,
                     answer_invitation(invitation, response, cause_of_rule(decision.decline_rule),
                                       taking.now_ms),
                     decision.decline_rule, "demand.why_declined");
        return {};
    }
    if (check_joinable(invitation, taking.now_ms)) return ask(taking, invitation);
    settle(taking, kIgnoredInvitationRule, "demand.why_late");
    return {};
}

Result<void> take_demand(Taking& taking, const json& payload, const wire::DemandOffer& offer) {
    // Answers repeat the id, so that it must not be words.
    if (!is_negotiation_id(offer.negotiation_id) || !is_negotiation_id(offer.demand_id)) {
        return ignore(taking, "demand.why_bad_id");
    }
    A2H_ASSIGN_OR_RETURN(const auto known,
                         store::get_invitation(taking.db, taking.message.agent_id,
                                               taking.message.sender_id, offer.negotiation_id));
    if (known) return ignore(taking, "demand.why_again");
    A2H_ASSIGN_OR_RETURN(const auto open,
                         store::count_open_invitations(taking.db, taking.message.agent_id,
                                                       taking.message.sender_id));
    if (open >= kOpenInvitationsMax) return ignore(taking, "demand.why_too_many");
    Invitation invitation;
    invitation.agent_id = taking.message.agent_id;
    invitation.negotiation_id = offer.negotiation_id;
    invitation.requester_id = taking.message.sender_id;
    invitation.demand_id = offer.demand_id;
    invitation.demand_json = received(payload, "demand");
    invitation.besides_json = said_besides(all_said_in(taking), wire::to_json(offer), "demand");
    invitation.filter_reason = offer.filter_reason;
    invitation.answer_by_ms = offer.answer_by_ms;
    invitation.created_at_ms = taking.now_ms;
    invitation.updated_at_ms = taking.now_ms;
    A2H_TRY(decide(taking, invitation, offer));
    const auto inserted = store::insert_invitation(taking.db, invitation);
    return inserted ? Result<void>() : fail(inserted.error());
}

// Plans.

/// True if our offer was sent and nothing has ended it.
bool takes_part(const Invitation& invitation) {
    return invitation.state == InvitationState::Joined ||
           invitation.state == InvitationState::Reviewing ||
           invitation.state == InvitationState::AskedToAccept ||
           invitation.state == InvitationState::Answered;
}

Result<void> call_off_question(Taking& taking, const Invitation& before, std::string_view why) {
    if (before.approval_id.empty()) return {};
    return consent::call_off(taking.db, before.approval_id, why, taking.settings.approval,
                             taking.now_ms);
}

Result<void> decide_plan(Taking& taking, Invitation& invitation) {
    const Offer offered = wire::parse_offer(invitation.offer_json).value_or(Offer{});
    if (check_plan(invitation) == PartCheck::NoPart) {
        const auto objection = new_objection(
            invitation.negotiation_id, invitation.round, offered,
            taking.text("demand.no_part_for_us", {{"contribution", offered.contribution}}));
        send_by_rule(
            taking,
            answer_proposal(invitation, objection, cause_of_rule(kNoPartRule), taking.now_ms),
            kNoPartRule, "demand.why_no_part");
        return {};
    }
    if (check_answerable(invitation, taking.now_ms)) return ask(taking, invitation);
    settle(taking, kIgnoredInvitationRule, "demand.why_late");
    return {};
}

/// `review` as far as it says nothing beside its plan: without a notice that is not ours, and about
/// the demand of the invitation.
wire::ProposalReview without_words(wire::ProposalReview review, const Invitation& invitation) {
    if (!is_notice(review.notice)) review.notice.clear();
    review.demand_id = invitation.demand_id;
    return review;
}

Result<void> take_plan(Taking& taking, const json& payload, const wire::ProposalReview& review) {
    A2H_ASSIGN_OR_RETURN(const auto found,
                         store::get_invitation(taking.db, taking.message.agent_id,
                                               taking.message.sender_id, review.negotiation_id));
    if (!found || !takes_part(*found)) return ignore(taking, "demand.why_unknown");
    const Invitation before = *found;
    if (review.round <= before.round) return ignore(taking, "demand.why_old_round");
    Invitation invitation = before;
    invitation.state = InvitationState::Reviewing;
    invitation.round = review.round;
    invitation.proposal_json = received(payload, "proposal");
    invitation.besides_json =
        said_besides(all_said_in(taking), wire::to_json(without_words(review, before)), "proposal");
    invitation.feedback.reset();
    invitation.answer_by_ms = review.answer_by_ms;
    invitation.thought_job_id = 0;
    invitation.updated_at_ms = taking.now_ms;
    A2H_TRY(decide_plan(taking, invitation));
    A2H_TRY(store::update_invitation(taking.db, invitation, before.state));
    A2H_TRY(drop_thought(taking, before, taking.text("demand.newer_plan")));
    return call_off_question(taking, before, taking.text("demand.newer_plan"));
}

// Ends.

/// We accepted the last plan that we were shown, it has a part for us, and it is the plan that was
/// agreed on. So we may be bound by less than the requester claims, never by more.
bool binds(const Invitation& invitation, const json& payload, const wire::NegotiationEnded& end) {
    const bool has_agreed =
        end.outcome == NegotiationOutcome::Agreed || end.outcome == NegotiationOutcome::Partial;
    if (!has_agreed || !end.is_bound || invitation.state != InvitationState::Answered ||
        invitation.feedback != FeedbackType::Accept) {
        return false;
    }
    const std::vector<json> accepted = own_parts(invitation);
    if (accepted.empty()) return false;
    return !end.proposal ||
           parts_of(wire::member(payload, "proposal"), invitation.agent_id) == accepted;
}

void notify_human(Taking& taking, const Invitation& before, const Invitation& ended) {
    const bool concerned = takes_part(before) || before.state == InvitationState::AskedToJoin;
    if (!concerned) return;
    const Proposal accepted = wire::parse_proposal(ended.proposal_json);
    const PlanPart* part = part_in(accepted.parts, ended.agent_id);
    const std::string key = ended.is_bound ? "demand.ended_bound" : "demand.ended_" + ended.outcome;
    Notification news;
    news.agent_id = ended.agent_id;
    news.kind = "negotiation.ended";
    news.body_json = wire::canonical_json(json{
        {"text",
         taking.text(
             key, {{"peer", ended.requester_id},
                   {"demand", preview(printable(
                                  wire::parse_understanding(ended.demand_json).surface_demand))},
                   {"part", preview(printable(part ? part->responsibility : std::string()))}})}});
    news.created_at_ms = taking.now_ms;
    taking.effects.news = std::move(news);
}

Result<void> take_end(Taking& taking, const json& payload, const wire::NegotiationEnded& end) {
    A2H_ASSIGN_OR_RETURN(const auto found,
                         store::get_invitation(taking.db, taking.message.agent_id,
                                               taking.message.sender_id, end.negotiation_id));
    if (!found || found->state == InvitationState::Ended) {
        return ignore(taking, "demand.why_unknown");
    }
    const Invitation before = *found;
    Invitation invitation = before;
    invitation.state = InvitationState::Ended;
    invitation.outcome = to_string(
        end.outcome == NegotiationOutcome::None ? NegotiationOutcome::Failed : end.outcome);
    invitation.is_bound = binds(before, payload, end);
    invitation.answer_by_ms = 0;
    invitation.thought_job_id = 0;
    invitation.updated_at_ms = taking.now_ms;
    A2H_TRY(store::update_invitation(taking.db, invitation, before.state));
    A2H_TRY(drop_thought(taking, before, taking.text("demand.negotiation_over")));
    A2H_TRY(call_off_question(taking, before, taking.text("demand.negotiation_over")));
    settle(taking, kInvitedRule, "demand.why_ended");
    taking.effects.events.push_back(
        effects::new_event(invitation.agent_id, "negotiation.ended", invitation.negotiation_id,
                           wire::canonical_json(json{{"peer_id", invitation.requester_id},
                                                     {"outcome", invitation.outcome},
                                                     {"is_bound", invitation.is_bound}}),
                           taking.now_ms));
    notify_human(taking, before, invitation);
    return {};
}

/// A message that cannot be read as one of its type counts as nothing.
template <auto kRead, auto kTake>
Result<void> read_and_take(Taking& taking, const json& payload) {
    const auto read = kRead(payload);
    return read ? kTake(taking, payload, *read) : ignore(taking, "demand.why_faulty");
}

struct InvitedRow {
    DemandMessageType type;
    Result<void> (*take)(Taking& taking, const json& payload);
};
/// The messages that a requester sends to those whom it invites.
constexpr InvitedRow kInvitedRows[] = {
    {DemandMessageType::DemandOffer, read_and_take<wire::read_demand_offer, take_demand>},
    {DemandMessageType::ProposalReview, read_and_take<wire::read_proposal_review, take_plan>},
    {DemandMessageType::NegotiationEnded, read_and_take<wire::read_negotiation_ended, take_end>},
};

Result<void> take(Taking& taking, const json& payload, DemandMessageType type) {
    if (!taking.is_proved()) return ignore(taking, "demand.why_unproved");
    for (const InvitedRow& row : kInvitedRows)
        if (row.type == type) return row.take(taking, payload);
    return ignore(taking, "demand.why_unknown");
}

}  // namespace

Result<outcome::Effects> take_invitation_mail(store::Database& db, const Job& job,
                                              const InboxMessage& message, const json& payload,
                                              DemandMessageType type, const Settings& settings,
                                              UnixMs now_ms, Asks asks) {
    Taking taking{db, message, settings, now_ms, asks, {}, {}};
    taking.effects.job = job;
    Job& settled = *taking.effects.job;
    settled.rule_id = kInvitedRule;
    settled.decision = "silent";
    settled.state = JobState::Done;
    settled.updated_at_ms = now_ms;
    taking.detail = json{{"peer_id", message.sender_id},
                         {"provenance", to_string(message.provenance)},
                         {"message_type", message.message_type}};
    A2H_TRY(take(taking, payload, type));
    taking.detail["decision"] = settled.decision;
    taking.detail["rule_id"] = settled.rule_id;
    taking.detail["why"] = settled.why;
    taking.effects.events.push_back(
        effects::new_event(message.agent_id, "message.decided", message.message_id,
                           wire::canonical_json(taking.detail), now_ms));
    return std::move(taking.effects);
}

Result<outcome::Effects> ask_after_thought(store::Database& db, const Thought& thought,
                                           const Settings& settings, UnixMs now_ms) {
    outcome::Effects effects;
    A2H_ASSIGN_OR_RETURN(
        const auto found,
        store::get_invitation(db, thought.agent_id, thought.requester_id, thought.negotiation_id));
    if (!found || found->thought_job_id != thought.job_id) return effects;
    const Invitation before = *found;
    Invitation invitation = before;
    invitation.thought_job_id = 0;
    const bool is_new = before.state == InvitationState::New;
    const auto in_time =
        is_new ? check_joinable(invitation, now_ms) : check_answerable(invitation, now_ms);
    if (!in_time) {
        A2H_TRY(store::update_invitation(db, invitation, before.state));
        A2H_TRY(consent::settle_job(
            db, thought.job_id, i18n::text(settings.approval.language, "demand.why_late"), now_ms));
        return effects;
    }
    A2H_ASSIGN_OR_RETURN(auto job, store::get_job(db, thought.job_id));
    Provenance provenance = Provenance::Unverified;
    if (job) {
        A2H_ASSIGN_OR_RETURN(const auto message, store::get_inbox(db, job->inbox_id));
        if (message) provenance = message->provenance;
    }
    effects.approval = question_about(invitation, cause_of(thought.job_id, provenance),
                                      thought.advice, settings, now_ms);
    effects.approval->claims.is_bounded =
        effects.approval->claims.is_bounded && thought.asks_mandate;
    A2H_TRY(store::update_invitation(db, invitation, before.state));
    if (!job || job->state == JobState::Done || job->state == JobState::Failed) {
        return effects;
    }
    job->why = i18n::text(settings.approval.language, "demand.why_asked");
    job->updated_at_ms = now_ms;
    A2H_TRY(store::update_job(db, *job));
    return effects;
}

}  // namespace a2h::collab
