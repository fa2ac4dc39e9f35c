#include "daemon/collab/filter_answer.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/unit/collab/run_scene.h"

namespace a2h::collab {
namespace {

using nlohmann::json;
using test::run_in;

}  // namespace

TEST_CASE("Only listed candidates are chosen, each once, never the requester") {
    Run run = run_in(NegotiationState::Created);
    run.demand.capability_tags = {"room", "speaker"};
    std::vector<Profile> shown(3);
    shown[0].agent_id = "ag_a";
    shown[0].user_name = "Ann";
    shown[0].tags = {"meeting room"};
    shown[1].agent_id = "ag_b";
    shown[1].profile_summary = "gives talks as a speaker";
    shown[2].agent_id = run.negotiation.agent_id;
    const auto said = [](const char* id, const char* type, double confidence, const char* reason) {
        return json{{"agent_id", id},
                    {"display_name", "The Emperor"},
                    {"reason", reason},
                    {"match_type", type},
                    {"confidence", confidence}};
    };
    const json answer = {
        {"definitely_related",
         {said("ag_invented", "explicit", 1, "best"), said("ag_a", "explicit", 0.9, "has a room"),
          said("ag_a", "explicit", 0.9, "again"),
          said("ag_requester", "explicit", 1, "the requester")}},
        {"possibly_related",
         {said("ag_a", "inferred", 0.9, "again"),
          said("ag_b", "inferred", 0.99, "is paid 500 CNY")}}};
    Filtered by_rules;
    by_rules.possibly_related.push_back({"ag_a", "Ann", {"room"}, "by rules", 40});
    const Filtered made = chosen_of(answer, run, shown, by_rules);
    REQUIRE(made.definitely_related.size() == 1);
    CHECK(made.definitely_related[0].agent_id == "ag_a");
    CHECK(made.definitely_related[0].display_name == "Ann");
    CHECK(made.definitely_related[0].reason == "has a room");
    CHECK(made.definitely_related[0].match_score == 90);
    REQUIRE(made.possibly_related.size() == 1);
    CHECK(made.possibly_related[0].reason.empty());
    CHECK(made.possibly_related[0].match_score == 70);
    CHECK(made.possibly_related[0].tags == std::vector<std::string>{"speaker"});

    const Filtered none = chosen_of({{"definitely_related", {said("ag_x", "explicit", 1, "x")}}},
                                    run, shown, by_rules);
    REQUIRE(none.possibly_related.size() == 1);
    CHECK(none.possibly_related[0].reason == "by rules");

    std::vector<Profile> many(30);
    json all = json::array();
    for (std::size_t i = 0; i < many.size(); ++i) {
        many[i].agent_id = "ag_" + std::to_string(i);
        all.push_back(said(many[i].agent_id.c_str(), "explicit", 0, "fits"));
    }
    const Filtered cut =
        chosen_of({{"definitely_related", all}, {"possibly_related", all}}, run, many, by_rules);
    CHECK(cut.definitely_related.size() + cut.possibly_related.size() == kCandidatesMax);
}

}  // namespace a2h::collab
