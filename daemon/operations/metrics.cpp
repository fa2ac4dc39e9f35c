#include "daemon/operations/metrics.h"

#include <nlohmann/json.hpp>

#include "daemon/health/metric_table.h"
#include "daemon/kernel/services.h"
#include "daemon/operations/operation.h"
#include "daemon/operations/registration.h"

namespace a2h::operations {
namespace {

using nlohmann::json;

health::Mailboxes count_mailboxes(const Agents& agents) {
    health::Mailboxes mailboxes;
    for (const auto& [id, agent] : agents) {
        if (!agent->connection) continue;
        ++mailboxes.all;
        if (agent->connected) ++mailboxes.connected;
        if (agent->connected && agent->self_test.failed) ++mailboxes.deaf;
    }
    return mailboxes;
}

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

}  // namespace

Result<std::vector<health::Family>> metrics_of(const Meter& meter) {
    const kernel::Services& kernel = meter.kernel;
    A2H_ASSIGN_OR_RETURN(const auto queues, store::read_queues(kernel.reader));
    A2H_ASSIGN_OR_RETURN(const auto negotiations, store::negotiation_counts(kernel.reader));
    health::Measured measured{.metrics = meter.metrics,
                              .queues = queues,
                              .mailboxes = count_mailboxes(meter.agents),
                              .writes_waiting = kernel.writer.backlog(),
                              .model = {},
                              .negotiations = negotiations,
                              .process = health::read_process_use(),
                              .now_ms = kernel.clock.now_ms()};
    if (meter.model != nullptr) measured.model = meter.model->status();
    return health::read_metrics(measured);
}

namespace {

struct MetricsParts {
    Meter meter;
    std::string url;
};

Result<json> handle_metrics(const MetricsParts& parts, const Call&) {
    A2H_ASSIGN_OR_RETURN(const auto families, metrics_of(parts.meter));
    return json{{"text", health::exposition_text(families)},
                {"series", series_of(families)},
                {"url", parts.url}};
}

}  // namespace

void add_metrics(Table& table, const Meter& meter, std::string url) {
    table.add("metrics", with(MetricsParts{meter, std::move(url)}, handle_metrics));
}

}  // namespace a2h::operations
