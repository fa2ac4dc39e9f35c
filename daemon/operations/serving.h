#pragma once

#include <memory>

#include "core/base/result.h"
#include "core/control/home.h"
#include "core/control/server.h"
#include "daemon/config/current.h"
#include "daemon/health/metrics_port.h"
#include "daemon/operations/metrics.h"
#include "daemon/operations/operation.h"

namespace a2h::operations {

// What is returned must end before `table` and `meter`; requests are answered on the loop.

/// Serves the control protocol on the home's socket, or on that of a socket unit which has started
/// this process. Errors: those of `control::Server`.
Result<std::unique_ptr<control::Server>> serve_control(Loop& loop, const Table& table,
                                                       const control::Home& home);

/// Serves `GET /metrics` where the configuration says so; null where it does not, or cannot, which
/// is logged.
std::unique_ptr<health::MetricsPort> serve_metrics(const Current<Config>& config,
                                                   const Meter& meter);

}  // namespace a2h::operations
