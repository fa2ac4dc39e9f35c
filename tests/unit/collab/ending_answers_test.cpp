#include "daemon/collab/ending_answers.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "daemon/collab/plan_rules.h"
#include "tests/unit/collab/thought_scene.h"

namespace a2h::collab {
namespace {

using nlohmann::json;
using test::assignment;
using test::half_accepted;

json gap_of(const char* type, int importance, const char* reason) {
    return {{"gap_type", type},
            {"importance", importance},
            {"reason", reason},
            {"suggested_capability_tags", {type}}};
}

json recursion_for(std::vector<json> subs) {
    return {{"should_recurse", true},
            {"condition_1_met", true},
            {"condition_2_met", true},
            {"condition_3_met", true},
            {"sub_demands", std::move(subs)}};
}

json sub_demand(const char* description, std::vector<std::string> tags) {
    return {
        {"description", description}, {"capability_tags", std::move(tags)}, {"priority", "high"}};
}

}  // namespace

TEST_CASE("A part that nobody accepted is a gap, whatever a model says") {
    const Run run = half_accepted();
    const auto by_rules = gaps_of(run);
    REQUIRE(by_rules.size() == 1);
    CHECK(gaps_with({{"gaps", json::array()}}, run, by_rules).size() == 1);
    const auto gaps = gaps_with(
        {{"gaps",
          {gap_of("Speaker", 10, "a talk is what it is about"), gap_of("room", 90, "not enough"),
           gap_of("tea", 95, "it was asked for"), gap_of("tea", 95, "twice")}}},
        run, by_rules);
    REQUIRE(gaps.size() == 2);
    CHECK(gaps[0].gap_type == "tea");
    CHECK(gaps[1].gap_type == "speaker");
    CHECK(gaps[1].importance == by_rules[0].importance);
    CHECK(gaps[1].reason == "a talk is what it is about");
}

TEST_CASE("A second search needs all three conditions, an open gap, and a first level") {
    Run run = half_accepted();
    const auto gaps = gaps_of(run);
    const json answer = recursion_for(
        {sub_demand("Somebody who speaks about tea", {"speaker", "magician"}),
         sub_demand("The same once more", {"speaker"}), sub_demand("A palace", {"palace"})});
    const auto subs = sub_demands_of(answer, run, gaps);
    REQUIRE(subs.size() == 1);
    CHECK(subs[0].tags == std::vector<std::string>{"speaker"});
    for (const char* condition :
         {"should_recurse", "condition_1_met", "condition_2_met", "condition_3_met"}) {
        json no = answer;
        no[condition] = false;
        CHECK(sub_demands_of(no, run, gaps).empty());
        no.erase(condition);
        CHECK(sub_demands_of(no, run, gaps).empty());
    }
    CHECK(sub_demands_of(recursion_for({sub_demand("For up to 500 CNY", {"speaker"})}), run, gaps)
              .empty());
    CHECK(sub_demands_of(answer, run, {}).empty());
    run.negotiation.parent_negotiation_id = "collab-0";
    CHECK(sub_demands_of(answer, run, gaps).empty());
    run.negotiation.parent_negotiation_id.clear();
    run.negotiation.outcome = NegotiationOutcome::Failed;
    CHECK(sub_demands_of(answer, run, gaps).empty());

    run.negotiation.outcome = NegotiationOutcome::Partial;
    std::vector<Gap> many;
    std::vector<json> wanted;
    for (const char* tag : {"a", "b", "c", "d"}) {
        many.push_back({tag, 80, "open", {tag}});
        wanted.push_back(sub_demand("Somebody", {tag}));
    }
    CHECK(sub_demands_of(recursion_for(wanted), run, many).size() == kSubDemandsMax);
}

TEST_CASE("A compromise assigns the accepted parts and names all gaps") {
    const Run run = half_accepted();
    const auto gaps = gaps_of(run);
    const json answer = {{"summary", "Everybody has agreed."},
                         {"type", "compromise"},
                         {"assignments", {assignment("ag_b", "Speaker", "has accepted")}},
                         {"compromises",
                          {{{"issue", "money"}, {"resolution", "77 CNY"}, {"rationale", "half"}},
                           {{"issue", "time"}, {"resolution", "noon"}, {"rationale", "both"}}}},
                         {"unresolved", json::array()},
                         {"suggestions", {"Ask again"}},
                         {"confidence", "medium"}};
    const json made = json::parse(compromise_with(answer, run, gaps));
    REQUIRE(made.at("assignments").size() == 1);
    CHECK(made.at("assignments")[0].at("agent_id") == "ag_a");
    CHECK(made.at("summary").get<std::string>().starts_with(compromise_of(run, gaps).summary));
    REQUIRE(made.at("compromises").size() == 1);
    CHECK(made.at("compromises")[0].at("issue") == "time");
    REQUIRE(made.at("unresolved").size() == 1);
    CHECK(made.at("unresolved")[0] == gaps[0].reason);
    CHECK(made.at("suggestions") == json{"Ask again"});
    CHECK(made.at("confidence") == "low");
}

}  // namespace a2h::collab
