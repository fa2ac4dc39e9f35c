#pragma once

// Two have offered a room and a talk: what a model makes of that is judged by the tests.

#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "daemon/collab/plan_rules.h"
#include "tests/unit/collab/run_scene.h"

namespace a2h::test {

inline nlohmann::json assignment(const std::string& agent_id, const std::string& role,
                                 const std::string& responsibility,
                                 std::vector<std::string> dependencies = {}) {
    return {{"agent_id", agent_id},
            {"display_name", "The Emperor"},
            {"role", role},
            {"responsibility", responsibility},
            {"dependencies", std::move(dependencies)}};
}

inline nlohmann::json plan_of(std::vector<nlohmann::json> assignments) {
    return {{"summary", "A room first, then the talk."},
            {"objective", "An evening"},
            {"assignments", std::move(assignments)},
            {"timeline", {{"milestones", nlohmann::json::array()}}},
            {"rationale", "They fit"},
            {"gaps", nlohmann::json::array()},
            {"confidence", "high"}};
}

inline collab::Run room_and_talk() {
    using enum PartyState;
    collab::Run run =
        run_in(NegotiationState::Aggregating,
               {party("ag_a", Participating, {"room"}), party("ag_b", Participating, {"speaker"}),
                party("ag_c", Declined, {"speaker"})});
    run.negotiation.raw_input = run.demand.surface_demand;
    run.demand.capability_tags = {"room", "speaker"};
    run.parties[0].offer->conditions = {"before noon"};
    run.parties[0].offer->price = Price{30'000, "CNY"};
    return run;
}

/// Ended: ag_a has accepted; what ag_b was to do is open.
inline collab::Run half_accepted() {
    collab::Run run = room_and_talk();
    run.negotiation.round = 1;
    run.negotiation.outcome = NegotiationOutcome::Partial;
    run.proposal = collab::aggregate(run, 5);
    run.feedback = {feedback("ag_a", FeedbackType::Accept), feedback("ag_b", FeedbackType::Accept)};
    run.feedback[1].is_presumed = true;
    return run;
}

inline const PlanPart& part_for(const Proposal& plan, const std::string& agent_id) {
    for (const PlanPart& part : plan.parts)
        if (part.agent_id == agent_id) return part;
    FAIL("no part of " << agent_id);
    return plan.parts.front();
}

}  // namespace a2h::test
