#include "daemon/collab/steps.h"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/join.h"
#include "core/store/demand_store.h"
#include "core/wire/canonical.h"
#include "core/wire/demand_messages.h"
#include "daemon/collab/counting.h"
#include "daemon/collab/disclosed.h"
#include "daemon/collab/ending.h"
#include "daemon/collab/events.h"
#include "daemon/collab/left_out.h"
#include "daemon/collab/plan_rules.h"
#include "daemon/collab/step_parts.h"
#include "daemon/kernel/fault_point.h"

namespace a2h::collab {
namespace {

using nlohmann::json;

/// Limit of a whole message, so that its envelope is accepted everywhere.
constexpr std::size_t kPayloadBytesMax = 40 * 1024;

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
    const auto tags = disclosed_tags(run.negotiation.raw_input, party.tags);
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
    offer.demand = disclosed_demand(run.negotiation, run.demand.capability_tags);
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

}  // namespace a2h::collab
