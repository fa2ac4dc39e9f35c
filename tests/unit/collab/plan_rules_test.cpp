#include "daemon/collab/plan_rules.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/unit/collab/run_scene.h"

namespace a2h::collab {
namespace {

using enum PartyState;
using enum FeedbackType;
using test::feedback;
using test::party;
using test::run_in;

Party with_price(Party made, std::int64_t minor) {
    made.offer->price = Price{minor, "CNY"};
    return made;
}

TEST_CASE("A plan is what was offered, as it was offered") {
    Run run = run_in(NegotiationState::Aggregating,
                     {party("ag_a", Participating, {"room"}), party("ag_b", Declined),
                      with_price(party("ag_c", Participating, {"speaker"}), 5'000)});
    run.parties[0].offer->conditions = {"before noon", "with a projector"};
    run.demand.capability_tags = {"room", "speaker", "photos"};
    const Proposal plan = next_proposal(run, 9);
    REQUIRE(plan.parts.size() == 2);
    CHECK(plan.version == 1);
    CHECK(plan.parts[0].agent_id == "ag_a");
    CHECK(plan.parts[0].responsibility == "what ag_a brings");
    CHECK(plan.parts[0].notes == "before noon\nwith a projector");
    CHECK(plan.parts[1].price == Price{5'000, "CNY"});
    REQUIRE(plan.gaps.size() == 1);
    CHECK(plan.gaps[0].find("photos") != std::string::npos);
    CHECK(plan.confidence == "low");
}

TEST_CASE("Beyond the budget the dearest that others replace are left out, and nobody else") {
    Run run = run_in(NegotiationState::Aggregating,
                     {with_price(party("ag_a", Participating, {"room"}), 60'000),
                      with_price(party("ag_b", Participating, {"room"}), 90'000),
                      with_price(party("ag_c", Participating, {"speaker"}), 20'000)});
    run.demand.capability_tags = {"room", "speaker"};
    run.demand.budget = "1000 CNY";
    Proposal plan = aggregate(run, 0);
    REQUIRE(plan.parts.size() == 2);
    CHECK(plan.parts[0].agent_id == "ag_a");
    CHECK(plan.gaps.empty());

    run.demand.budget = "预算500元";
    plan = aggregate(run, 0);
    CHECK(plan.parts.size() == 2);
    CHECK(plan.gaps.size() == 1);  // too dear, and nobody can be spared
    CHECK(plan.confidence == "low");
}

TEST_CASE("A next version keeps what nobody objected to") {
    Run run = run_in(NegotiationState::Aggregating,
                     {with_price(party("ag_a", Participating, {"room"}), 10'000),
                      party("ag_b", Withdrawn, {"speaker"}), party("ag_c", Participating, {"food"}),
                      party("ag_s", Participating, {"speaker"})},
                     1);
    run.parties[3].joined_round = 1;
    run.demand.budget = "200 CNY";
    run.proposal.parts = {{.agent_id = "ag_a", .role = "room", .price = Price{10'000, "CNY"}},
                          {.agent_id = "ag_b", .role = "speaker"},
                          {.agent_id = "ag_c", .role = "food", .responsibility = "soup"}};
    run.feedback = {feedback("ag_a", Negotiate), feedback("ag_b", Withdraw),
                    feedback("ag_c", Negotiate)};
    run.feedback[0].wanted_price = Price{15'000, "CNY"};
    run.feedback[2].adjustment_request = "no soup";
    const Proposal plan = next_proposal(run, 9);
    CHECK(plan.version == 2);
    REQUIRE(plan.parts.size() == 3);
    CHECK(plan.parts[0].price == Price{15'000, "CNY"});
    CHECK(plan.parts[1].responsibility == "soup");
    CHECK(plan.parts[2].agent_id == "ag_s");
    CHECK(plan.requests_granted.size() == 1);
    REQUIRE(plan.requests_declined.size() == 1);
    CHECK(plan.requests_declined[0].starts_with("ag_c"));
    CHECK(plan.changes.size() == 3);

    run.feedback[0].wanted_price = Price{25'000, "CNY"};
    CHECK(next_proposal(run, 9).parts[0].price == Price{10'000, "CNY"});
}

TEST_CASE("Unaccepted parts are gaps, and a compromise has the accepted parts") {
    Run run =
        run_in(NegotiationState::Aggregating,
               {party("ag_a", Participating, {"room"}), party("ag_b", Participating, {"speaker"}),
                party("ag_c", Participating, {"room"})},
               3);
    run.demand.capability_tags = {"room", "speaker"};
    run.proposal.parts = {{.agent_id = "ag_a", .role = "room"},
                          {.agent_id = "ag_b", .role = "speaker"},
                          {.agent_id = "ag_c", .role = "more room"}};
    run.feedback = {feedback("ag_a", Accept, 3), feedback("ag_b", Accept, 3),
                    feedback("ag_c", Negotiate, 3)};
    run.feedback[1].is_presumed = true;
    const auto gaps = gaps_of(run);
    REQUIRE(gaps.size() == 2);
    CHECK(gaps[0].gap_type == "speaker");
    CHECK(gaps[0].importance > gaps[1].importance);
    CHECK(gaps[1].gap_type == "more room");
    const auto made = compromise_of(run, gaps);
    REQUIRE(made.parts.size() == 1);
    CHECK(made.parts[0].agent_id == "ag_a");
    CHECK(made.unresolved.size() == 2);
    CHECK_FALSE(made.suggestions.empty());
    CHECK(to_json(made)["type"] == "compromise");
}

TEST_CASE("The words of a plan are in the language of the demand") {
    Run run = run_in(NegotiationState::Aggregating, {party("ag_a", Participating)});
    run.demand.surface_demand = "想在北京办一场聚会，需要场地和嘉宾";
    CHECK(aggregate(run, 0).rationale.find("报价") != std::string::npos);
    run.demand.surface_demand = "We want a room in Berlin and two speakers";
    CHECK(aggregate(run, 0).rationale.find("offer") != std::string::npos);
}

}  // namespace
}  // namespace a2h::collab
