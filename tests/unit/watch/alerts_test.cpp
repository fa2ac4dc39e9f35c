// packaging/prometheus/a2hd.rules.yml uses existing metrics only, and docs/metrics.md describes
// each alert.
#include <doctest/doctest.h>

#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/unit/watch/query_check.h"

using namespace a2h;

namespace {

std::string content_of(const std::string& file) {
    std::ostringstream content;
    content << std::ifstream(A2H_SOURCE_DIR "/" + file).rdbuf();
    REQUIRE(!content.str().empty());
    return content.str();
}

/// The fields of each rule by their names. The file is written so that each has a line of its own.
std::vector<std::map<std::string, std::string>> alert_rules() {
    std::istringstream file(content_of("packaging/prometheus/a2hd.rules.yml"));
    const std::regex field("^ +(?:- )?([a-z_]+): (.+)$");
    std::vector<std::map<std::string, std::string>> rules;
    std::smatch match;
    for (std::string line; std::getline(file, line);) {
        if (!std::regex_match(line, match, field)) continue;
        if (match[1] == "alert") rules.emplace_back();
        if (!rules.empty()) CHECK(rules.back().emplace(match[1], match[2]).second);
    }
    return rules;
}

/// The first column of the table under the heading that begins with `heading`.
std::set<std::string> alerts_told(const std::string& document, const std::string& heading) {
    const std::string text = content_of(document);
    const std::size_t begin = text.find("\n## " + heading);
    REQUIRE(begin != std::string::npos);
    const std::string section = text.substr(begin, text.find("\n## ", begin + 1) - begin);
    const std::regex row("\n\\| `(A2hd[A-Za-z]+)` \\|");
    std::set<std::string> names;
    for (std::sregex_iterator found(section.begin(), section.end(), row), end; found != end;
         ++found)
        names.insert((*found)[1]);
    return names;
}

}  // namespace

TEST_CASE(
    "every alert asks for metrics that exist, says how bad it is, and in two languages what") {
    const auto rules = alert_rules();
    CHECK(rules.size() > 10);
    const std::set<std::string> severities{"{severity: critical}", "{severity: warning}",
                                           "{severity: info}"};
    for (const auto& rule : rules) {
        CAPTURE(rule.at("alert"));
        test::check_query(rule.at("expr"));
        CHECK(severities.contains(rule.at("labels")));
        CHECK(rule.at("summary").size() > 10);
        CHECK(rule.at("summary_zh").size() > 10);
    }
}

TEST_CASE("the documents describe every alert and no other") {
    std::set<std::string> names;
    for (const auto& rule : alert_rules())
        CHECK(names.insert(rule.at("alert")).second);
    CHECK(alerts_told("docs/metrics.md", "Alerts") == names);
    CHECK(alerts_told("docs/metrics.zh_CN.md", "告警") == names);
}
