#include "daemon/operations/meter.h"

#include "daemon/health/metric_table.h"

namespace a2h::operations {
namespace {

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

}  // namespace

Result<std::vector<health::Family>> metrics_of(const Meter& meter) {
    const kernel::Kernel& kernel = meter.kernel;
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

}  // namespace a2h::operations
