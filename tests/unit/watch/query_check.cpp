#include "tests/unit/watch/query_check.h"

#include <doctest/doctest.h>

#include <map>
#include <regex>

#include "daemon/health/metric_table.h"

namespace a2h::test {
namespace {

/// Every name that a scrape can bring, with the type of its family.
std::map<std::string, health::MetricType> scraped_names() {
    std::map<std::string, health::MetricType> names;
    for (const health::MetricRow& row : health::metric_rows()) {
        const std::string name(row.name);
        if (row.type != health::MetricType::Histogram) {
            names[name] = row.type;
            continue;
        }
        for (const char* suffix : {"_bucket", "_sum", "_count"})
            names[name + suffix] = health::MetricType::Counter;
    }
    return names;
}

}  // namespace

void check_query(const std::string& query) {
    CAPTURE(query);
    static const auto known = scraped_names();
    static const std::regex name_pattern("\\b(?:a2hd|llm|circuit|negotiation|sse)_[a-z0-9_]+");
    for (std::sregex_iterator found(query.begin(), query.end(), name_pattern), end; found != end;
         ++found) {
        const auto metric = known.find(found->str());
        REQUIRE_MESSAGE(metric != known.end(), found->str());
        if (metric->second != health::MetricType::Counter) continue;
        const std::string before = found->prefix();
        CHECK((before.ends_with("rate(") || before.ends_with("increase(")));
    }
}

}  // namespace a2h::test
