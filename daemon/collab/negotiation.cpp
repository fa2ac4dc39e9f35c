#include "daemon/collab/negotiation.h"

#include <algorithm>

#include "daemon/collab/counting.h"

namespace a2h::collab {
namespace {

bool covers(const Party& party, const std::string& tag) {
    return std::find(party.tags.begin(), party.tags.end(), tag) != party.tags.end();
}

bool is_in(const Party& party) {
    return party.state == PartyState::Participating || party.state == PartyState::Invited;
}

bool anybody(const Run& run, PartyState state) {
    return std::any_of(run.parties.begin(), run.parties.end(),
                       [&](const Party& party) { return party.state == state; });
}

bool left_in_this_round(const Run& run, const Party& party) {
    return party.state == PartyState::Withdrawn &&
           std::any_of(run.feedback.begin(), run.feedback.end(),
                       [&](const Feedback& each) { return each.agent_id == party.agent_id; });
}

Step next_of_negotiating(const Run& run, bool is_due) {
    const auto participants = participants_of(run.parties, run.feedback, run.negotiation.round);
    const Count counted = count(participants, run.feedback);
    if (is_lost(counted)) return Step::Evaluate;
    const auto lost = lost_tags(run);
    if (!lost.empty()) return replacement_for(run, lost) ? Step::Replace : Step::Evaluate;
    if (is_due) return Step::Evaluate;
    const bool all_in = counted.unanswered == 0 && !anybody(run, PartyState::Invited);
    return all_in ? Step::Evaluate : Step::Wait;
}

}  // namespace

const Party* party_in(const Run& run, const std::string& agent_id) {
    const auto found = std::find_if(run.parties.begin(), run.parties.end(),
                                    [&](const Party& party) { return party.agent_id == agent_id; });
    return found == run.parties.end() ? nullptr : &*found;
}

const PlanPart* part_in(const std::vector<PlanPart>& parts, const std::string& agent_id) {
    const auto found = std::find_if(parts.begin(), parts.end(), [&](const PlanPart& part) {
        return part.agent_id == agent_id;
    });
    return found == parts.end() ? nullptr : &*found;
}

bool has_accepted(const std::vector<Feedback>& feedback, const std::string& agent_id) {
    return std::any_of(feedback.begin(), feedback.end(), [&](const Feedback& each) {
        return each.agent_id == agent_id && each.type == FeedbackType::Accept && !each.is_presumed;
    });
}

Step next_step(const Run& run, bool is_due) {
    switch (run.negotiation.state) {
        case NegotiationState::Created:
            return Step::Filter;
        case NegotiationState::Broadcasting:
            return Step::Broadcast;
        case NegotiationState::Collecting:
            return is_due || !anybody(run, PartyState::Invited) ? Step::EndCollecting : Step::Wait;
        case NegotiationState::Aggregating:
            return run.negotiation.outcome == NegotiationOutcome::None ? Step::Propose
                                                                       : Step::Conclude;
        case NegotiationState::ProposalSent:
            return Step::Distribute;
        case NegotiationState::Negotiating:
            return next_of_negotiating(run, is_due);
        case NegotiationState::Finalized:
        case NegotiationState::Failed:
            return Step::Wait;
    }
    return Step::Wait;
}

bool must_read_first(const Run& run, Step step) {
    switch (step) {
        case Step::Wait:
        case Step::Filter:
        case Step::Propose:
            return false;
        case Step::EndCollecting:
        case Step::Evaluate:
            return next_step(run, false) != step;  // the deadline has caused it
        case Step::Broadcast:
        case Step::Distribute:
        case Step::Replace:
            return true;
        case Step::Conclude:
            return holds(run.negotiation);
    }
    return true;
}

bool holds(const Negotiation& negotiation) {
    return negotiation.outcome == NegotiationOutcome::Agreed ||
           negotiation.outcome == NegotiationOutcome::Partial;
}

std::vector<std::string> lost_tags(const Run& run) {
    std::vector<std::string> lost;
    for (const Party& gone : run.parties) {
        if (!left_in_this_round(run, gone)) continue;
        for (const std::string& tag : gone.tags) {
            const bool is_covered =
                std::any_of(run.parties.begin(), run.parties.end(),
                            [&](const Party& party) { return is_in(party) && covers(party, tag); });
            if (!is_covered && std::find(lost.begin(), lost.end(), tag) == lost.end()) {
                lost.push_back(tag);
            }
        }
    }
    return lost;
}

const Party* replacement_for(const Run& run, const std::vector<std::string>& tags) {
    if (run.negotiation.round >= kNegotiationRoundsMax) return nullptr;
    for (const Party& party : run.parties) {
        if (party.state != PartyState::Reserve) continue;
        for (const std::string& tag : tags) {
            if (covers(party, tag)) return &party;
        }
    }
    return nullptr;
}

bool has_hole(const Run& run) {
    return std::any_of(run.parties.begin(), run.parties.end(), [&](const Party& party) {
        return !party.replaces.empty() && party.joined_round == run.negotiation.round &&
               party.state == PartyState::Participating;
    });
}

Proposal final_plan(const Proposal& proposal, const std::vector<Feedback>& feedback) {
    Proposal bound = proposal;
    std::erase_if(bound.parts,
                  [&](const PlanPart& part) { return !has_accepted(feedback, part.agent_id); });
    return bound;
}

}  // namespace a2h::collab
