#include "daemon/collab/understanding_answer.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

namespace a2h::collab {
namespace {

using nlohmann::json;

}  // namespace

TEST_CASE("Only facts that the demand's text states are kept") {
    const std::string text = "A talk about tea in Hangzhou for 30 people on 15 February";
    wire::Understanding by_rules;
    by_rules.surface_demand = text;
    by_rules.expected_attendees = 30;
    by_rules.capability_tags = {"talk"};
    json answer = {{"surface_demand", "A talk about tea for 30 people"},
                   {"deep_understanding",
                    {{"motivation", "probably a club"}, {"likely_preferences", {"quiet"}}}},
                   {"capability_tags", {"Tea talk", "tea TALK", " ", "room"}},
                   {"context",
                    {{"location", "Hangzhou"},
                     {"expected_attendees", 500},
                     {"date", "next week"},
                     {"budget", "9000 CNY"}}},
                   {"uncertainties", {"Is 9000 CNY enough?", "Indoors?"}},
                   {"confidence", "medium"}};
    const auto made = understood(answer, by_rules, text);
    CHECK(made.surface_demand == "A talk about tea for 30 people");
    CHECK(made.capability_tags == std::vector<std::string>{"Tea talk", "room"});
    CHECK(made.location == "Hangzhou");
    CHECK(made.expected_attendees == 30);
    CHECK(made.date.empty());
    CHECK(made.budget.empty());
    CHECK(made.uncertainties == std::vector<std::string>{"Indoors?"});
    answer["context"]["date"] = "15 February";
    answer["capability_tags"] = json::array();
    answer["surface_demand"] = "A talk, paid with 9000 CNY";
    const auto other = understood(answer, by_rules, text);
    CHECK(other.date == "15 February");
    CHECK(other.capability_tags == by_rules.capability_tags);
    CHECK(other.surface_demand == text);
}

}  // namespace a2h::collab
