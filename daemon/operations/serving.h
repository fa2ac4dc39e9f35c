#pragma once

#include <memory>

#include "core/base/result.h"
#include "core/control/home.h"
#include "core/control/server.h"
#include "daemon/config/current.h"
#include "daemon/health/metrics_port.h"
#include "daemon/operations/meter.h"
#include "daemon/operations/operation.h"

namespace a2h::operations {

// The returned objects must be destroyed before `table` and `meter`. Requests are answered on the
// loop.

/// Serves the control protocol on the home's socket, or on the socket of a socket unit that has
/// started this process.
///
/// Errors:  those of `control::Server`.
Result<std::unique_ptr<control::Server>> serve_control(Loop& loop, const Table& table,
                                                       const control::Home& home);

/// Serves `GET /metrics` if the configuration says so. Null if it does not, or on a failure, which
/// is logged.
std::unique_ptr<health::MetricsPort> serve_metrics(const Current<Config>& config,
                                                   const Meter& meter);

}  // namespace a2h::operations
