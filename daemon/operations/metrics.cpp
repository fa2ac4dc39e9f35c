#include <nlohmann/json.hpp>

#include "daemon/health/metric_table.h"
#include "daemon/kernel/kernel.h"
#include "daemon/operations/operation.h"
#include "daemon/operations/registration.h"

namespace a2h::operations {
namespace {

using nlohmann::json;

json series_of(const std::vector<health::Family>& families) {
    json all = json::array();
    for (const health::Family& family : families) {
        for (const health::Sample& sample : family.samples) {
            json labels = json::object();
            for (const auto& [label, value] : sample.labels)
                labels[label] = value;
            all.push_back({{"name", std::string(family.name) + std::string(sample.suffix)},
                           {"labels", std::move(labels)},
                           {"value", sample.value}});
        }
    }
    return all;
}

struct MetricsParts {
    const Meter& meter;
    std::string url;
};

Result<json> handle_metrics(const MetricsParts& parts, const Call&) {
    A2H_ASSIGN_OR_RETURN(const auto families, metrics_of(parts.meter));
    return json{{"text", health::exposition_text(families)},
                {"series", series_of(families)},
                {"url", parts.url}};
}

}  // namespace

void add_metrics(Table& table, const AllParts& all) {
    const MetricsParts parts{all.meter, all.metrics_url};
    table.add("metrics", with(parts, handle_metrics));
}

}  // namespace a2h::operations
