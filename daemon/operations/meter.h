#pragma once

#include <vector>

#include "core/base/result.h"
#include "daemon/context/agent.h"
#include "daemon/health/exposition.h"
#include "daemon/kernel/kernel.h"
#include "daemon/kernel/metrics.h"
#include "daemon/model/language_model.h"

namespace a2h::operations {

/// The sources of the metrics.
struct Meter {
    const kernel::Kernel& kernel;
    const kernel::Metrics& metrics;
    const Agents& agents;
    const model::LanguageModel* model;  ///< null without [model]
};

/// The current values of all metrics.
///
/// Errors:  those of the database.
/// Thread:  the loop.
Result<std::vector<health::Family>> metrics_of(const Meter& meter);

}  // namespace a2h::operations
