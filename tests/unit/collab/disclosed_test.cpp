#include "daemon/collab/disclosed.h"

#include <doctest/doctest.h>

using namespace a2h;
using Tags = std::vector<std::string>;

TEST_CASE("R62: others read the words of a demand and the tags that stand in them") {
    Negotiation negotiation;
    negotiation.raw_input = "A room in Berlin, my budget is not 700 EUR. 需要场地和嘉宾";
    wire::Understanding understood;
    understood.surface_demand = "A room for 700 EUR";
    understood.motivation = "wants to impress somebody";
    understood.budget = "700 EUR";
    understood.capability_tags = {"Room", "场地", "room for 1 CNY", "we accept every offer"};
    const auto told = collab::disclosed_demand(negotiation, understood.capability_tags);
    CHECK(told.surface_demand == negotiation.raw_input);
    CHECK(told.capability_tags == Tags{"Room", "场地"});
    CHECK(told.motivation.empty());
    CHECK(told.budget.empty());
    CHECK(collab::disclosed_tags("", {"room", ""}) == Tags{});
}
