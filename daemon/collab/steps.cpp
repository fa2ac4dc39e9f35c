#include "daemon/collab/steps.h"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/join.h"
#include "core/base/text.h"
#include "core/store/demand_store.h"
#include "core/store/outbox_store.h"
#include "core/wire/canonical.h"
#include "core/wire/demand_messages.h"
#include "daemon/collab/counting.h"
#include "daemon/collab/events.h"
#include "daemon/collab/left_out.h"
#include "daemon/collab/plan_rules.h"
#include "daemon/collab/told.h"
#include "daemon/consent/approvals.h"
#include "daemon/consent/door.h"
#include "daemon/effects/rows.h"
#include "daemon/kernel/fault_point.h"

namespace a2h::collab {
namespace {

using nlohmann::json;

/// Limit of a whole message, so that its envelope is accepted everywhere.
constexpr std::size_t kPayloadBytesMax = 40 * 1024;
constexpr std::size_t kOthersTextMax = 100;

/// A message that a step sends, with its cause.
struct Posting {
    wire::DemandMessageType type;
    std::string effect;  ///< unique for this receiver
    std::string_view cause = kNegotiationCause;
};

Result<void> send(const Writing& to, const Negotiation& negotiation, const std::string& target_id,
                  const Posting& posting, const json& payload) {
    OutboxMessage message = effects::new_outbox_message(
        negotiation.agent_id, target_id, wire::canonical_json(payload), {},
        std::string(posting.cause) + negotiation.negotiation_id, to.now_ms);
    message.message_type = wire::to_string(posting.type);
    message.effect_key =
        "demand:" + negotiation.negotiation_id + ":" + posting.effect + ":" + target_id;
    A2H_TRY(consent::put_in_outbox(to.db, message));
    return {};
}

Result<void> update(const Writing& to, Negotiation& negotiation) {
    negotiation.updated_at_ms = to.now_ms;
    return store::update_negotiation(to.db, negotiation);
}

/// The step `Conclude` sends what remains to be sent.
void begin_end(Run& run, NegotiationOutcome outcome, std::string_view reason) {
    run.negotiation.state = NegotiationState::Aggregating;
    run.negotiation.outcome = outcome;
    run.negotiation.reason = reason;
    run.negotiation.deadline_ms = 0;
}

// Created.

Party party_from(const Candidate& candidate, const std::string& negotiation_id, int place,
                 PartyState state) {
    Party party;
    party.negotiation_id = negotiation_id;
    party.agent_id = candidate.agent_id;
    party.place = place;
    party.display_name = candidate.display_name;
    party.tags = candidate.tags;
    party.reason = candidate.reason;
    party.match_score = candidate.match_score;
    party.state = state;
    return party;
}

Result<void> write_filtered(const Writing& to, Run& run, const Filtered& filtered) {
    // Without a certain match the possible matches are invited at once.
    const bool asks_possible = filtered.definitely_related.empty();
    int place = 0;
    for (const Candidate& each : filtered.definitely_related) {
        run.parties.push_back(
            party_from(each, run.negotiation.negotiation_id, place++, PartyState::Invited));
    }
    for (const Candidate& each : filtered.possibly_related) {
        run.parties.push_back(
            party_from(each, run.negotiation.negotiation_id, place++,
                       asks_possible ? PartyState::Invited : PartyState::Reserve));
    }
    for (const Party& party : run.parties)
        A2H_TRY(store::insert_party(to.db, party));
    if (run.parties.empty()) {
        begin_end(run, NegotiationOutcome::Failed, "no_candidates");
    } else {
        run.negotiation.state = NegotiationState::Broadcasting;
    }
    A2H_TRY(update(to, run.negotiation));
    return record_filtered(to.db, run.negotiation, run.parties, to.now_ms);
}

// Broadcasting.

/// The reason that the invited agent reads: it names tags that stand in the demand. The reason that
/// the requester reads quotes profiles, which anybody can have written, and is not sent.
std::string reason_to_send(const Run& run, const Party& party) {
    const auto tags = told_tags(run.negotiation.raw_input, party.tags);
    if (tags.empty()) return {};
    return i18n::text(language_of_text(run.negotiation.raw_input), "plan.invited_for",
                      {{"tags", joined_with(", ", tags)}});
}

Result<void> invite(const Writing& to, const Run& run, Party& party, UnixMs answer_by_ms,
                    std::string_view cause) {
    party.state = PartyState::Invited;
    party.answer_by_ms = answer_by_ms;
    A2H_TRY(store::update_party(to.db, party));
    wire::DemandOffer offer;
    offer.negotiation_id = run.negotiation.negotiation_id;
    offer.demand_id = run.negotiation.demand_id;
    offer.demand = told_demand(run.negotiation, run.demand.capability_tags);
    offer.round = std::max(1, run.negotiation.round);
    offer.filter_reason = reason_to_send(run, party);
    offer.match_score = party.match_score;
    offer.answer_by_ms = answer_by_ms;
    return send(to, run.negotiation, party.agent_id,
                {wire::DemandMessageType::DemandOffer, "offer", cause}, wire::to_json(offer));
}

Result<void> write_broadcast(const Writing& to, Run& run) {
    if (!to.is_released) A2H_TRY(leave_out_open(to, run, PartyState::Invited));
    run.negotiation.deadline_ms = to.now_ms + UnixMs{1'000} * run.negotiation.response_seconds;
    int recipients = 0;
    for (Party& party : run.parties) {
        if (party.state != PartyState::Invited) continue;
        A2H_TRY(invite(to, run, party, run.negotiation.deadline_ms,
                       to.is_released ? kReleasedCause : kNegotiationCause));
        ++recipients;
    }
    run.negotiation.state = NegotiationState::Collecting;
    A2H_TRY(update(to, run.negotiation));
    return record_broadcast(to.db, run.negotiation, recipients, to.now_ms);
}

// Collecting.

Result<void> silence_unanswered(const Writing& to, Run& run) {
    for (Party& party : run.parties) {
        if (party.state != PartyState::Invited) continue;
        party.state = PartyState::Silent;
        A2H_TRY(store::update_party(to.db, party));
    }
    return {};
}

Result<void> write_collected(const Writing& to, Run& run) {
    A2H_TRY(silence_unanswered(to, run));
    const auto offers =
        std::count_if(run.parties.begin(), run.parties.end(),
                      [](const Party& party) { return party.state == PartyState::Participating; });
    run.negotiation.deadline_ms = 0;
    run.negotiation.state = NegotiationState::Aggregating;
    if (offers == 0) begin_end(run, NegotiationOutcome::Failed, "no_participants");
    A2H_TRY(update(to, run.negotiation));
    if (offers == 0) return {};
    return record_aggregation(to.db, run.negotiation, static_cast<int>(offers), to.now_ms);
}

// Aggregating, and ProposalSent.

bool has_participants(const Run& run) {
    return std::any_of(run.parties.begin(), run.parties.end(),
                       [](const Party& party) { return party.state == PartyState::Participating; });
}

/// True if somebody was left out, so that the plan has to be made anew, or nobody is left.
Result<bool> has_changed_by_leaving_out(const Writing& to, Run& run) {
    A2H_ASSIGN_OR_RETURN(const int left_out, leave_out_open(to, run, PartyState::Participating));
    if (left_out == 0) return false;
    if (!has_participants(run)) begin_end(run, NegotiationOutcome::Failed, "no_participants");
    A2H_TRY(update(to, run.negotiation));
    return true;
}

Result<void> write_proposal(const Writing& to, Run& run, Proposal proposal) {
    A2H_ASSIGN_OR_RETURN(const auto changed, has_changed_by_leaving_out(to, run));
    if (changed) return {};
    run.negotiation.round += 1;
    proposal.version = run.negotiation.round;
    A2H_TRY(store::insert_proposal(to.db, run.negotiation.negotiation_id, proposal.version,
                                   wire::canonical_json(wire::to_json(proposal))));
    run.negotiation.state = NegotiationState::ProposalSent;
    A2H_TRY(update(to, run.negotiation));
    if (run.negotiation.round == 1) return {};
    return record_round(to.db, run.negotiation, to.now_ms);
}

/// The plan as one participant sees it: without the terms of others, unless the requester shows
/// them.
json proposal_for(const Proposal& proposal, const std::string& agent_id, bool shows_terms,
                  std::size_t others_text_max, const std::string& notice) {
    Proposal shown = proposal;
    for (PlanPart& part : shown.parts) {
        if (part.agent_id == agent_id) continue;
        part.responsibility = std::string(truncate(part.responsibility, others_text_max));
        if (shows_terms) continue;
        part.notes.clear();
        part.price.reset();
    }
    if (!shows_terms) {
        shown.changes.clear();
        shown.requests_granted.clear();
        shown.requests_declined.clear();
    }
    json plan = wire::to_json(shown);
    plan["binds_requester"] = false;
    plan["notice"] = notice;
    return plan;
}

/// Returns the notice that a plan does not bind the requester (R32), in the language of the demand.
std::string notice_of(const Run& run) {
    return i18n::text(language_of_text(run.demand.surface_demand), kNoticeKey);
}

json review_for(const Run& run, const std::string& agent_id, std::size_t others_text_max) {
    wire::ProposalReview review;
    review.negotiation_id = run.negotiation.negotiation_id;
    review.demand_id = run.negotiation.demand_id;
    review.round = run.negotiation.round;
    review.answer_by_ms = run.negotiation.deadline_ms;
    review.notice = notice_of(run);
    json payload = wire::to_json(review);
    payload["proposal"] = proposal_for(run.proposal, agent_id, run.negotiation.shows_terms,
                                       others_text_max, review.notice);
    return payload;
}

Result<void> write_distributed(const Writing& to, Run& run) {
    A2H_TRY(leave_out_open(to, run, PartyState::Participating));
    if (!has_participants(run)) {
        begin_end(run, NegotiationOutcome::Failed, "no_participants");
        return update(to, run.negotiation);
    }
    std::erase_if(run.proposal.parts, [&](const PlanPart& part) {
        const Party* party = party_in(run, part.agent_id);
        return party != nullptr && is_left_out(*party);
    });
    run.negotiation.deadline_ms = to.now_ms + UnixMs{1'000} * run.negotiation.feedback_seconds;
    for (const Party& party : participants_of(run.parties, {}, run.negotiation.round)) {
        json payload = review_for(run, party.agent_id, std::string::npos);
        if (payload.dump().size() > kPayloadBytesMax) {
            payload = review_for(run, party.agent_id, kOthersTextMax);
        }
        A2H_TRY(
            send(to, run.negotiation, party.agent_id,
                 {wire::DemandMessageType::ProposalReview, std::to_string(run.negotiation.round)},
                 payload));
    }
    run.negotiation.state = NegotiationState::Negotiating;
    A2H_TRY(update(to, run.negotiation));
    return record_distributed(to.db, run.negotiation, run.proposal, to.now_ms);
}

// Negotiating.

Result<void> write_replacement(const Writing& to, Run& run) {
    const Party* chosen = replacement_for(run, lost_tags(run));
    if (!chosen)
        return fail(ErrorCode::Conflict, "no candidate is left who could replace the party");
    const std::string chosen_id = chosen->agent_id;
    A2H_ASSIGN_OR_RETURN(const int left_out, leave_out_open(to, run, PartyState::Reserve));
    // Somebody else may take the place.
    if (left_out > 0) return update(to, run.negotiation);
    Party party = *party_in(run, chosen_id);
    for (const Party& gone : run.parties) {
        const bool shares = std::any_of(gone.tags.begin(), gone.tags.end(), [&](const auto& tag) {
            return std::find(party.tags.begin(), party.tags.end(), tag) != party.tags.end();
        });
        if (gone.state == PartyState::Withdrawn && shares) party.replaces = gone.agent_id;
    }
    const UnixMs answer_by = to.now_ms + UnixMs{1'000} * run.negotiation.response_seconds;
    run.negotiation.deadline_ms = std::max(run.negotiation.deadline_ms, answer_by);
    A2H_TRY(invite(to, run, party, answer_by, kNegotiationCause));
    return update(to, run.negotiation);
}

Result<void> count_silence(const Writing& to, Run& run) {
    const auto participants = participants_of(run.parties, run.feedback, run.negotiation.round);
    for (const Feedback& silence :
         presumed_feedback(run.negotiation, run.proposal, participants, run.feedback, to.now_ms)) {
        A2H_TRY(store::insert_feedback(to.db, silence));
        A2H_TRY(record_feedback(to.db, run.negotiation, silence, to.now_ms));
        run.feedback.push_back(silence);
    }
    return {};
}

/// Continues according to the verdict of the round. `run` is complete: silence has been counted, or
/// cannot change the result.
void follow_verdict(Run& run, const Count& counted) {
    run.negotiation.deadline_ms = 0;
    run.negotiation.state = NegotiationState::Aggregating;
    if (is_lost(counted)) return begin_end(run, NegotiationOutcome::Failed, "rejected");
    if (!lost_tags(run).empty())
        return begin_end(run, NegotiationOutcome::Failed, "core_withdrawn");
    Verdict verdict = verdict_of(counted, run.negotiation.round);
    if (verdict != Verdict::Failed && has_hole(run)) verdict = Verdict::NextRound;
    switch (verdict) {
        case Verdict::NextRound:
            return;
        case Verdict::Agreed:
            return begin_end(run, NegotiationOutcome::Agreed, "");
        case Verdict::Partial:
            return begin_end(run, NegotiationOutcome::Partial, "partial_consensus");
        case Verdict::Failed:
            return begin_end(run, NegotiationOutcome::Failed, "no_agreement");
    }
}

Result<void> write_evaluated(const Writing& to, Run& run) {
    A2H_TRY(leave_out_open(to, run, PartyState::Participating));
    if (participants_of(run.parties, run.feedback, run.negotiation.round).empty()) {
        begin_end(run, NegotiationOutcome::Failed, "no_participants");
        return update(to, run.negotiation);
    }
    const auto before =
        count(participants_of(run.parties, run.feedback, run.negotiation.round), run.feedback);
    // In both cases the round ends before the deadline, so participants who have not answered do
    // not count as silent.
    const bool ends_anyway = is_lost(before) || !lost_tags(run).empty();
    if (!ends_anyway) {
        A2H_TRY(silence_unanswered(to, run));
        // The replacement did not take part, so the next one may be asked.
        if (replacement_for(run, lost_tags(run))) return update(to, run.negotiation);
        A2H_TRY(count_silence(to, run));
    }
    const Count counted =
        count(participants_of(run.parties, run.feedback, run.negotiation.round), run.feedback);
    A2H_TRY(record_evaluated(to.db, run.negotiation, counted, to.now_ms));
    follow_verdict(run, counted);
    return update(to, run.negotiation);
}

// The end.

bool is_notified_of_end(const Party& party) {
    return party.state == PartyState::Invited || party.state == PartyState::Participating ||
           party.state == PartyState::Silent;
}

/// Only a failure says nothing that somebody could take for a yes. A cancellation by an assistant
/// is an act of the assistant.
std::string_view cause_of_end(const Writing& to, const Negotiation& negotiation) {
    if (negotiation.outcome == NegotiationOutcome::Failed) return kFailedCause;
    const bool is_humans = negotiation.outcome == NegotiationOutcome::Cancelled && to.is_released;
    return is_humans ? kReleasedCause : kNegotiationCause;
}

Result<void> send_end(const Writing& to, const Run& run, const Proposal& plan) {
    for (const Party& party : run.parties) {
        if (!is_notified_of_end(party)) continue;
        const bool is_bound =
            run.negotiation.state == NegotiationState::Finalized &&
            std::any_of(plan.parts.begin(), plan.parts.end(),
                        [&](const PlanPart& part) { return part.agent_id == party.agent_id; });
        wire::NegotiationEnded ended;
        ended.negotiation_id = run.negotiation.negotiation_id;
        ended.demand_id = run.negotiation.demand_id;
        ended.outcome = run.negotiation.outcome;
        ended.reason = run.negotiation.reason;
        ended.is_bound = is_bound;
        ended.notice = notice_of(run);
        json payload = wire::to_json(ended);
        if (is_bound) {
            payload["proposal"] = proposal_for(plan, party.agent_id, run.negotiation.shows_terms,
                                               kOthersTextMax, ended.notice);
        }
        A2H_TRY(send(
            to, run.negotiation, party.agent_id,
            {wire::DemandMessageType::NegotiationEnded, "end", cause_of_end(to, run.negotiation)},
            payload));
    }
    return {};
}

Result<void> notify_requester(const Writing& to, const Run& run) {
    const std::string key = "plan.news_" + std::string(to_string(run.negotiation.outcome));
    Notification news;
    news.agent_id = run.negotiation.agent_id;
    news.kind = "negotiation.ended";
    news.body_json = wire::canonical_json(
        json{{"text", i18n::text(to.policy.language, key,
                                 {{"demand", preview(printable(run.negotiation.raw_input))}})}});
    news.created_at_ms = to.now_ms;
    return consent::notify_human(to.db, news, to.policy, to.now_ms);
}

Result<void> begin_sub_demands(const Writing& to, const Run& run, const Thoughts& thoughts) {
    if (!run.negotiation.parent_negotiation_id.empty())
        return {};  // sub-demands have no sub-demands (R36)
    for (const Negotiation& sub : thoughts.sub_demands) {
        A2H_TRY(write_submitted(to, sub));
        const auto wanted = wire::parse_understanding(sub.understanding_json).surface_demand;
        A2H_TRY(record_subnet(to.db, run.negotiation, sub, wanted, to.now_ms));
    }
    return {};
}

/// Leaves out everybody with whom anything else is open, so that *agreed* cannot answer it. Nobody
/// is bound without being notified. Returns whether this has changed the result.
Result<bool> leave_out_of_end(const Writing& to, Run& run) {
    int left_out = 0;
    for (const PartyState state :
         {PartyState::Participating, PartyState::Invited, PartyState::Silent}) {
        A2H_ASSIGN_OR_RETURN(const int these, leave_out_open(to, run, state));
        left_out += these;
    }
    if (left_out > 0 && final_plan(run.proposal, run.feedback).parts.empty()) {
        begin_end(run, NegotiationOutcome::Failed, "no_participants");
    }
    return left_out > 0;
}

Result<void> write_concluded(const Writing& to, Run& run, const Thoughts& thoughts) {
    bool has_changed = false;
    if (holds(run.negotiation)) {
        A2H_ASSIGN_OR_RETURN(has_changed, leave_out_of_end(to, run));
    }
    const bool is_final_plan = holds(run.negotiation);
    const Proposal plan = final_plan(run.proposal, run.feedback);
    const bool is_cancelled = run.negotiation.outcome == NegotiationOutcome::Cancelled;
    const bool takes_thoughts = !has_changed && thoughts.gaps.has_value();
    const std::vector<Gap> gaps = is_cancelled     ? std::vector<Gap>()
                                  : takes_thoughts ? *thoughts.gaps
                                                   : gaps_of(run);
    run.negotiation.gaps_json = wire::canonical_json(wire::to_json(gaps));
    if (run.negotiation.outcome != NegotiationOutcome::Agreed && !is_cancelled) {
        run.negotiation.compromise_json =
            has_changed || thoughts.compromise_json.empty()
                ? wire::canonical_json(to_json(compromise_of(run, gaps)))
                : thoughts.compromise_json;
    }
    run.negotiation.state = is_final_plan ? NegotiationState::Finalized : NegotiationState::Failed;
    A2H_TRY(update(to, run.negotiation));
    A2H_TRY(is_final_plan ? record_finalized(to.db, run.negotiation, plan, to.now_ms)
                          : record_failed(to.db, run.negotiation, run.proposal, to.now_ms));
    if (!gaps.empty()) A2H_TRY(record_gaps(to.db, run.negotiation, gaps, to.now_ms));
    A2H_TRY(send_end(to, run, plan));
    if (!has_changed) A2H_TRY(begin_sub_demands(to, run, thoughts));
    return notify_requester(to, run);
}

// Answers.

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

Result<std::optional<Run>> read_run(store::Database& db, std::string_view negotiation_id) {
    A2H_ASSIGN_OR_RETURN(auto negotiation, store::get_negotiation(db, negotiation_id));
    if (!negotiation) return std::optional<Run>();
    Run run;
    run.negotiation = std::move(*negotiation);
    run.demand = wire::parse_understanding(run.negotiation.understanding_json);
    A2H_ASSIGN_OR_RETURN(auto parties, store::parties_of(db, negotiation_id));
    run.parties = std::move(parties);
    if (run.negotiation.round == 0) return std::optional(std::move(run));
    A2H_ASSIGN_OR_RETURN(auto feedback,
                         store::feedback_of(db, negotiation_id, run.negotiation.round));
    run.feedback = std::move(feedback);
    std::erase_if(run.feedback, [&](const Feedback& each) {
        const Party* party = party_in(run, each.agent_id);
        return party != nullptr && is_left_out(*party);
    });
    A2H_ASSIGN_OR_RETURN(const auto proposal,
                         store::proposal_of_round(db, negotiation_id, run.negotiation.round));
    run.proposal = wire::parse_proposal(proposal);
    return std::optional(std::move(run));
}

Result<void> write_submitted(const Writing& to, const Negotiation& negotiation) {
    A2H_FAULT_POINT("demand.1");
    A2H_TRY(store::insert_negotiation(to.db, negotiation));
    return record_understood(to.db, negotiation, to.now_ms);
}

Result<void> write_step(const Writing& to, Run run, Step step, const Thoughts& thoughts) {
    switch (step) {
        case Step::Wait:
            return {};
        case Step::Filter:
            A2H_FAULT_POINT("demand.2");
            return write_filtered(to, run, thoughts.filtered.value_or(Filtered{}));
        case Step::Broadcast:
            A2H_FAULT_POINT("demand.3");
            return write_broadcast(to, run);
        case Step::EndCollecting:
            A2H_FAULT_POINT("demand.4");
            return write_collected(to, run);
        case Step::Propose:
            A2H_FAULT_POINT("demand.5");
            return write_proposal(to, run,
                                  thoughts.proposal.value_or(next_proposal(run, to.now_ms)));
        case Step::Distribute:
            A2H_FAULT_POINT("demand.6");
            return write_distributed(to, run);
        case Step::Replace:
            return write_replacement(to, run);
        case Step::Evaluate:
            A2H_FAULT_POINT("demand.7");
            return write_evaluated(to, run);
        case Step::Conclude:
            A2H_FAULT_POINT("demand.8");
            return write_concluded(to, run, thoughts);
    }
    return {};
}

Result<void> write_cancelled(const Writing& to, Run run) {
    run.negotiation.outcome = NegotiationOutcome::Cancelled;
    run.negotiation.reason = "cancelled";
    run.negotiation.deadline_ms = 0;
    return write_concluded(to, run, {});
}

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
