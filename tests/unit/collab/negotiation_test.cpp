#include "daemon/collab/negotiation.h"

#include <doctest/doctest.h>

#include "tests/unit/collab/run_scene.h"

namespace a2h::collab {
namespace {

using enum PartyState;
using enum FeedbackType;
using test::feedback;
using test::party;
using test::run_in;

TEST_CASE("Each state asks for its step") {
    CHECK(next_step(run_in(NegotiationState::Created), false) == Step::Filter);
    CHECK(next_step(run_in(NegotiationState::Broadcasting), false) == Step::Broadcast);
    CHECK(next_step(run_in(NegotiationState::Aggregating), false) == Step::Propose);
    CHECK(next_step(run_in(NegotiationState::ProposalSent), false) == Step::Distribute);
    CHECK(next_step(run_in(NegotiationState::Finalized), true) == Step::Wait);
    CHECK(next_step(run_in(NegotiationState::Failed), true) == Step::Wait);
    Run ending = run_in(NegotiationState::Aggregating);
    ending.negotiation.outcome = NegotiationOutcome::Agreed;
    CHECK(next_step(ending, false) == Step::Conclude);
}

TEST_CASE("Collecting ends with the last answer or with its time, not before") {
    Run run = run_in(NegotiationState::Collecting,
                     {party("ag_a", Participating), party("ag_b", Invited)});
    CHECK(next_step(run, false) == Step::Wait);
    CHECK(next_step(run, true) == Step::EndCollecting);
    run.parties[1].state = Declined;
    CHECK(next_step(run, false) == Step::EndCollecting);
}

TEST_CASE("A round ends with the last feedback or with its time") {
    Run run = run_in(NegotiationState::Negotiating,
                     {party("ag_a", Participating), party("ag_b", Participating)}, 1);
    run.feedback = {feedback("ag_a", Accept)};
    CHECK(next_step(run, false) == Step::Wait);
    CHECK(next_step(run, true) == Step::Evaluate);
    run.feedback.push_back(feedback("ag_b", Negotiate));
    CHECK(next_step(run, false) == Step::Evaluate);
}

TEST_CASE("R46: a step reads first if it counts silence or could answer something") {
    Run run = run_in(NegotiationState::Collecting, {party("ag_a", Invited)});
    CHECK(must_read_first(run, Step::EndCollecting));
    run.parties[0].state = Declined;
    CHECK_FALSE(must_read_first(run, Step::EndCollecting));  // nobody was silent
    Run asked = run_in(NegotiationState::Negotiating,
                       {party("ag_a", Participating), party("ag_b", Participating)}, 1);
    CHECK(must_read_first(asked, Step::Evaluate));
    asked.feedback = {feedback("ag_a", Accept), feedback("ag_b", Negotiate)};
    CHECK_FALSE(must_read_first(asked, Step::Evaluate));
    for (const Step step : {Step::Broadcast, Step::Distribute, Step::Replace})
        CHECK(must_read_first(asked, step));
    for (const Step step : {Step::Wait, Step::Filter, Step::Propose})
        CHECK_FALSE(must_read_first(asked, step));
    Run ending = run_in(NegotiationState::Aggregating);
    ending.negotiation.outcome = NegotiationOutcome::Failed;
    CHECK_FALSE(must_read_first(ending, Step::Conclude));
    for (const auto outcome : {NegotiationOutcome::Agreed, NegotiationOutcome::Partial}) {
        ending.negotiation.outcome = outcome;
        CHECK(must_read_first(ending, Step::Conclude));
    }
}

TEST_CASE("A withdrawal is looked at at once") {
    Run run = run_in(NegotiationState::Negotiating,
                     {party("ag_a", Withdrawn, {"room"}), party("ag_b", Participating, {"speaker"}),
                      party("ag_c", Participating, {"food"})},
                     1);
    run.feedback = {feedback("ag_a", Withdraw)};
    CHECK(lost_tags(run) == std::vector<std::string>{"room"});
    SUBCASE("nobody can take the place") {
        CHECK(next_step(run, false) == Step::Evaluate);
    }
    SUBCASE("the reserve has somebody") {
        run.parties.push_back(party("ag_r", Reserve, {"food"}));
        run.parties.push_back(party("ag_s", Reserve, {"room"}));
        REQUIRE(replacement_for(run, lost_tags(run)));
        CHECK(replacement_for(run, lost_tags(run))->agent_id == "ag_s");
        CHECK(next_step(run, false) == Step::Replace);
        run.negotiation.round = kNegotiationRoundsMax;
        for (Party& each : run.parties)
            each.joined_round = 0;
        CHECK_FALSE(replacement_for(run, lost_tags(run)));
    }
    SUBCASE("somebody was asked and has not answered") {
        run.parties.push_back(party("ag_s", Invited, {"room"}));
        CHECK(lost_tags(run).empty());
        CHECK(next_step(run, false) == Step::Wait);
    }
    SUBCASE("another one covers it") {
        run.parties[1].tags.push_back("room");
        CHECK(lost_tags(run).empty());
        CHECK(next_step(run, false) == Step::Wait);
    }
    SUBCASE("more than half are against it") {
        run.parties[1].state = Withdrawn;
        run.feedback.push_back(feedback("ag_b", Withdraw));
        CHECK(next_step(run, false) == Step::Evaluate);
    }
}

TEST_CASE("A plan with a replaced participant is not agreed before that one has seen it") {
    Run run = run_in(NegotiationState::Negotiating, {party("ag_s", Participating, {"room"})}, 2);
    CHECK_FALSE(has_hole(run));
    run.parties[0].replaces = "ag_a";
    run.parties[0].joined_round = 2;
    CHECK(has_hole(run));
    run.negotiation.round = 3;
    CHECK_FALSE(has_hole(run));
}

TEST_CASE("A final plan binds those who accepted it themselves") {
    Proposal proposal;
    proposal.parts = {{.agent_id = "ag_a"}, {.agent_id = "ag_b"}, {.agent_id = "ag_c"}};
    std::vector<Feedback> said{feedback("ag_a", Accept), feedback("ag_b", Accept),
                               feedback("ag_c", Negotiate)};
    said[1].is_presumed = true;
    const Proposal plan = final_plan(proposal, said);
    REQUIRE(plan.parts.size() == 1);
    CHECK(plan.parts[0].agent_id == "ag_a");
}

}  // namespace
}  // namespace a2h::collab
