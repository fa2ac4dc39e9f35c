#include "daemon/collab/realise.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/catalogue/arguments.h"
#include "core/catalogue/operations.h"
#include "core/catalogue/schema.h"
#include "tests/unit/collab/run_scene.h"

namespace a2h::collab {
namespace {

using enum FeedbackType;
using enum PartyState;
using nlohmann::json;
using test::feedback;
using test::party;

Run finished() {
    Run run = test::run_in(
        NegotiationState::Finalized,
        {party("ag_a", Participating), party("ag_b", Participating), party("ag_c", Participating)},
        1);
    run.proposal.parts = {{.agent_id = "ag_a",
                           .role = "room",
                           .responsibility = "a room for 30",
                           .dependencies = {"the keys"},
                           .notes = "before noon",
                           .price = Price{12'050, "EUR"}},
                          {.agent_id = "ag_b", .role = "speaker", .responsibility = "a talk"},
                          {.agent_id = "ag_c", .role = "food", .price = Price{100, "JPY"}}};
    run.feedback = {feedback("ag_a", Accept), feedback("ag_b", Accept), feedback("ag_c", Accept)};
    run.feedback[2].is_presumed = true;
    run.negotiation.gaps_json =
        wire::to_json(std::vector<Gap>{{"photos", 80, "nobody brings them", {"photography"}}})
            .dump();
    return run;
}

json arguments_of(const PlanAction& plan_action) {
    return json::parse(plan_action.arguments_json);
}

void check_arguments(const std::vector<PlanAction>& plan_actions) {
    for (const PlanAction& plan_action : plan_actions) {
        CAPTURE(plan_action.arguments_json);
        const auto* operation = catalogue::find_action(plan_action.action);
        REQUIRE(operation);
        CHECK(catalogue::validate(catalogue::input_schema(*operation), arguments_of(plan_action)));
    }
}

TEST_CASE("Briefs go to those who accepted themselves") {
    const auto plan_actions = plan_actions_of(finished(), Realisation::Briefs);
    REQUIRE(plan_actions.size() == 2);
    check_arguments(plan_actions);
    CHECK(plan_actions[0].subject == "ag_a");
    const json brief = arguments_of(plan_actions[0])["task_brief"];
    CHECK(brief["objective"] == "a room for 30");
    CHECK(brief["constraints"].dump().find("before noon") != std::string::npos);
    CHECK(brief["constraints"].dump().find("120.5") != std::string::npos);
    CHECK_FALSE(arguments_of(plan_actions[1])["task_brief"]["constraints"].empty());
}

TEST_CASE("Offers name the accepted price, and only parts with a price become offers") {
    const auto plan_actions = plan_actions_of(finished(), Realisation::Offers);
    REQUIRE(plan_actions.size() == 1);
    check_arguments(plan_actions);
    CHECK(arguments_of(plan_actions[0])["target_agent_id"] == "ag_a");
    CHECK(arguments_of(plan_actions[0])["extra_payload"]["price"]["amount"] == 120.5);
    CHECK(arguments_of(plan_actions[0])["extra_payload"]["price"]["currency"] == "EUR");
}

TEST_CASE("An offer states the conditions of the agreed part") {
    Run run = finished();
    run.proposal.start_date = "2026-02-15";
    const std::string text = arguments_of(plan_actions_of(run, Realisation::Offers)[0])["text"];
    for (const char* condition : {"before noon", "the keys", "2026-02-15"}) {
        CAPTURE(std::string(condition));
        CHECK(text.find(condition) != std::string::npos);
    }
}

TEST_CASE("Each gap becomes a request for proposals") {
    const auto plan_actions = plan_actions_of(finished(), Realisation::Rfps);
    REQUIRE(plan_actions.size() == 1);
    check_arguments(plan_actions);
    CHECK(arguments_of(plan_actions[0])["capability_type"] == "photography");
}

TEST_CASE(
    "Unless one kind is asked for, a price makes an offer, no price a brief, a gap a request") {
    const auto plan_actions = plan_actions_of(finished(), std::nullopt);
    REQUIRE(plan_actions.size() == 3);
    check_arguments(plan_actions);
    CHECK(plan_actions[0].as == Realisation::Offers);
    CHECK(plan_actions[0].subject == "ag_a");
    CHECK(plan_actions[0].price == Price{12'050, "EUR"});
    CHECK(plan_actions[1].as == Realisation::Briefs);
    CHECK(plan_actions[1].subject == "ag_b");
    CHECK(plan_actions[2].as == Realisation::Rfps);
    CHECK(plan_actions[2].subject == "photos");
}

TEST_CASE("Nothing is created from a plan that was not finalised") {
    Run run = finished();
    run.negotiation.state = NegotiationState::Failed;
    for (const auto as : {Realisation::Briefs, Realisation::Offers, Realisation::Rfps})
        CHECK(plan_actions_of(run, as).empty());
    CHECK(plan_actions_of(run, std::nullopt).empty());
}

}  // namespace
}  // namespace a2h::collab
