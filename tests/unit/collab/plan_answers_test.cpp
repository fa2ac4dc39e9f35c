#include "daemon/collab/plan_answers.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "daemon/collab/plan_rules.h"
#include "tests/unit/collab/run_scene.h"
#include "tests/unit/collab/thought_scene.h"

namespace a2h::collab {
namespace {

using enum PartyState;
using enum FeedbackType;
using nlohmann::json;
using test::assignment;
using test::feedback;
using test::part_for;
using test::party;
using test::plan_of;
using test::room_and_talk;

Proposal proposed(const Run& run, const json& answer) {
    return aggregated(answer, run, next_proposal(run, 9));
}

}  // namespace

TEST_CASE("A plan has the parts, prices and conditions of the offers, whatever a model says") {
    const Run run = room_and_talk();
    const Proposal plan =
        proposed(run, plan_of({assignment("ag_a", "Host", "A room, for 99 CNY", {"Speaker"}),
                               assignment("ag_a", "Host again", "twice"),
                               assignment("ag_b", "Speaker", "Speaks", {"Host", "Speaker", "Cook"}),
                               assignment("ag_c", "Speaker", "has accepted after all"),
                               assignment("ag_invented", "Cook", "cooks")}));
    REQUIRE(plan.parts.size() == 2);
    const PlanPart& host = part_for(plan, "ag_a");
    CHECK(host.role == "Host");
    CHECK(host.display_name == "ag_a");
    CHECK(host.responsibility == "what ag_a brings");  // 99 CNY was nobody's word
    CHECK(host.price == Price{30'000, "CNY"});
    CHECK(host.notes == "before noon");
    CHECK(host.dependencies == std::vector<std::string>{"Speaker"});
    CHECK(part_for(plan, "ag_b").responsibility == "Speaks");
    CHECK(part_for(plan, "ag_b").dependencies.empty());  // a circle, itself, nobody
    CHECK_FALSE(part_for(plan, "ag_b").price.has_value());
    CHECK(plan.summary == "A room first, then the talk.");
    CHECK(plan.version == 1);
}

TEST_CASE("A part is left out only where others can do it") {
    Run run = room_and_talk();
    const json only_room = plan_of({assignment("ag_a", "Host", "A room")});
    CHECK(proposed(run, only_room).parts.size() == 2);
    run.parties.push_back(party("ag_d", Participating, {"speaker"}));
    const Proposal plan = proposed(run, plan_of({assignment("ag_a", "Host", "A room"),
                                                 assignment("ag_d", "Speaker", "Speaks")}));
    CHECK(plan.parts.size() == 2);
    CHECK(part_for(plan, "ag_d").role == "Speaker");
    CHECK(proposed(run, plan_of({})).parts.size() == 2);
}

TEST_CASE("Conditions of one participant are not shown to all, and no date is invented") {
    Run run = room_and_talk();
    json answer = plan_of({assignment("ag_b", "Speaker", "Speaks after a room for 300 CNY")});
    answer["summary"] = "The room costs 300 CNY.";
    answer["timeline"] = {{"start_date", "2026-01-01"},
                          {"milestones", {{{"name", "Doors"}, {"date", "2026-01-01"}}}}};
    const Proposal plan = proposed(run, answer);
    CHECK(plan.summary == next_proposal(run, 9).summary);
    CHECK(part_for(plan, "ag_b").responsibility == "what ag_b brings");
    CHECK(plan.start_date.empty());
    REQUIRE(plan.milestones.size() == 1);
    CHECK(plan.milestones[0].date.empty());
    run.negotiation.shows_terms = true;
    CHECK(proposed(run, answer).summary == "The room costs 300 CNY.");
}

TEST_CASE("An accepted part stays word for word, and each request is accounted for once") {
    Run run = room_and_talk();
    run.negotiation.round = 1;
    run.proposal = aggregate(run, 5);
    run.proposal.version = 1;
    run.feedback = {feedback("ag_a", Accept), feedback("ag_b", Negotiate)};
    run.feedback[1].adjustment_request = "only half an hour";
    json answer = plan_of({assignment("ag_a", "Slave", "everything, unpaid"),
                           assignment("ag_b", "Speaker", "Speaks for half an hour")});
    answer["adjustment_summary"] = {{"round", 2},
                                    {"changes_made", {"The talk is shorter", "It costs 5 CNY"}},
                                    {"requests_addressed", {"ag_b: half an hour", "ag_x: more"}},
                                    {"requests_declined", {"ag_b: half an hour"}}};
    const Proposal plan = adjusted(answer, run, next_proposal(run, 9));
    CHECK(part_for(plan, "ag_a") == run.proposal.parts[0]);
    CHECK(part_for(plan, "ag_b").responsibility == "Speaks for half an hour");
    CHECK(plan.requests_granted == std::vector<std::string>{"ag_b: half an hour"});
    CHECK(plan.requests_declined.empty());
    CHECK(plan.changes == std::vector<std::string>{"The talk is shorter"});

    // Said to be granted, but nothing was changed.
    answer["assignments"] = json::array();
    const Proposal same = adjusted(answer, run, next_proposal(run, 9));
    CHECK(same.requests_granted.empty());
    CHECK(same.requests_declined.size() == 1);
    CHECK(same.changes.empty());

    // A silence that was counted is no consent: its words may change.
    run.feedback[0].is_presumed = true;
    answer["assignments"] = {assignment("ag_a", "Host", "A room with chairs")};
    CHECK(part_for(adjusted(answer, run, next_proposal(run, 9)), "ag_a").role == "Host");
}

TEST_CASE("A price in the next version is the one that was asked for, if the budget allows it") {
    Run run = room_and_talk();
    run.demand.budget = "500 CNY";
    run.negotiation.round = 1;
    run.proposal = aggregate(run, 5);
    run.feedback = {feedback("ag_a", Negotiate), feedback("ag_b", Accept)};
    run.feedback[0].wanted_price = Price{90'000, "CNY"};
    json answer = plan_of({assignment("ag_a", "Host", "A room")});
    answer["adjustment_summary"] = {{"round", 2},
                                    {"changes_made", json::array()},
                                    {"requests_addressed", {"ag_a: 900 CNY"}},
                                    {"requests_declined", json::array()}};
    Proposal plan = adjusted(answer, run, next_proposal(run, 9));
    CHECK(part_for(plan, "ag_a").price == Price{30'000, "CNY"});
    CHECK(plan.requests_granted.empty());
    run.feedback[0].wanted_price = Price{40'000, "CNY"};
    plan = adjusted(answer, run, next_proposal(run, 9));
    CHECK(part_for(plan, "ag_a").price == Price{40'000, "CNY"});
    CHECK(plan.requests_granted.size() == 1);
}

}  // namespace a2h::collab
