#include "daemon/operations/metrics.h"

#include <nlohmann/json.hpp>

#include "daemon/health/metric_table.h"
#include "daemon/operations/operation.h"

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

Result<std::vector<health::Family>> metrics_of(const Runtime& runtime) {
    const Context& context = runtime.context;
    A2H_ASSIGN_OR_RETURN(const auto queues, store::read_queues(context.reader));
    A2H_ASSIGN_OR_RETURN(const auto negotiations, store::channel_counts(context.reader));
    health::Measured measured{.metrics = context.metrics,
                              .queues = queues,
                              .mailboxes = count_mailboxes(runtime.agents),
                              .writes_waiting = context.writer.backlog(),
                              .model = {},
                              .negotiations = negotiations,
                              .process = health::read_process_use(),
                              .now_ms = context.clock.now_ms()};
    if (runtime.model != nullptr) measured.model = runtime.model->status();
    return health::read_metrics(measured);
}

void handle_metrics(Runtime& runtime, const Call& call, const Reply& reply) {
    const auto families = metrics_of(runtime);
    if (!families) {
        reply(error_result(call.action, families.error()));
        return;
    }
    reply(ok_result(call.action, {{"text", health::exposition_text(*families)},
                                  {"series", series_of(*families)},
                                  {"url", runtime.served.metrics_url}}));
}

}  // namespace a2h::operations
