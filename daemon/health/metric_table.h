#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/clock.h"
#include "core/i18n/messages.h"
#include "core/store/demand_store.h"
#include "core/store/queues.h"
#include "daemon/health/exposition.h"
#include "daemon/health/process_use.h"
#include "daemon/kernel/metrics.h"
#include "daemon/model/language_model.h"

namespace a2h::health {

/// Agents with a mailbox at a broker.
struct Mailboxes {
    int all = 0;
    int connected = 0;
    int deaf = 0;  ///< connected, but canaries do not return
};

/// The values of one moment from which all metrics are computed.
struct Measured {
    const kernel::Metrics& metrics;
    store::Queues queues;
    Mailboxes mailboxes;
    std::size_t writes_waiting = 0;
    std::optional<model::Status> model;  ///< absent without [model]
    store::NegotiationCounts negotiations = {};
    ProcessUse process;
    UnixMs now_ms = 0;
};

/// One metric. Its description is the message `watch.metric.{name}`.
struct MetricRow {
    std::string_view name;
    MetricType type;
    std::string_view labels;  ///< names of its labels, for people; empty: none
    std::vector<Sample> (*read)(const Measured& measured);
};

std::span<const MetricRow> metric_rows();
std::string metric_meaning(const MetricRow& row, i18n::Language language);

/// All metrics in the order of the table, without those that have no samples.
std::vector<Family> read_metrics(const Measured& measured);

}  // namespace a2h::health
