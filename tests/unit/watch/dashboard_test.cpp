// packaging/grafana/a2hd.json shows every metric of a2hd and no others.
#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "daemon/health/metric_table.h"
#include "tests/unit/watch/query_check.h"

using namespace a2h;
using nlohmann::json;

namespace {

json dashboard() {
    const json read =
        json::parse(std::ifstream(A2H_SOURCE_DIR "/packaging/grafana/a2hd.json"), nullptr, false);
    REQUIRE(read.is_object());
    return read;
}

/// All texts under members called `expr` or `query`.
void collect_queries(const json& value, std::vector<std::string>& queries) {
    for (const auto& [name, member] : value.items()) {
        const bool is_query = name == "expr" || name == "query";
        if (is_query && member.is_string()) queries.push_back(member);
        if (member.is_structured()) collect_queries(member, queries);
    }
}

}  // namespace

TEST_CASE("every metric of the dashboard exists, and counters are only read as rates") {
    std::vector<std::string> queries;
    collect_queries(dashboard(), queries);
    CHECK(queries.size() > 20);
    for (const std::string& query : queries)
        test::check_query(query);
}

TEST_CASE("every metric of a2hd is on the dashboard") {
    std::vector<std::string> queries;
    collect_queries(dashboard(), queries);
    std::string all;
    for (const std::string& query : queries)
        all += query + "\n";
    for (const health::MetricRow& row : health::metric_rows()) {
        CAPTURE(row.name);
        CHECK(all.find(row.name) != std::string::npos);
    }
}

TEST_CASE("panels have a number and a place of their own, and say what they show") {
    std::set<int> ids;
    std::set<std::pair<int, int>> taken;
    const json shown = dashboard();
    for (const json& panel : shown["panels"]) {
        CAPTURE(panel["title"].dump());
        CHECK(ids.insert(panel["id"].get<int>()).second);
        CHECK(!panel["title"].get<std::string>().empty());
        CHECK(!panel["description"].get<std::string>().empty());
        const json& place = panel["gridPos"];
        for (int x = place["x"]; x < place["x"].get<int>() + place["w"].get<int>(); ++x) {
            CHECK(x < 24);
            for (int y = place["y"]; y < place["y"].get<int>() + place["h"].get<int>(); ++y)
                CHECK(taken.insert({x, y}).second);
        }
    }
}
