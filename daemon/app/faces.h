#pragma once

// Inside daemon/app only.

#include <memory>

#include "core/control/server.h"
#include "daemon/app/parts.h"
#include "daemon/health/metrics_port.h"
#include "daemon/health/watchdog.h"
#include "daemon/operations/meter.h"
#include "daemon/operations/pin_proof.h"
#include "daemon/operations/sender.h"

namespace a2h {

/// The operations with what they are made of, and the port of the metrics that they name.
struct OperationSet {
    explicit OperationSet(Parts& parts);

    const operations::Sender sender;
    const operations::Meter meter;
    const operations::PinProof proof;
    const std::unique_ptr<health::MetricsPort> metrics_port;  ///< null: none is served
    const std::unique_ptr<const operations::Table> table;
};

/// The servers of the operations, and the watchdog that pings the service manager while all is
/// well.
struct Doors {
    std::unique_ptr<web::WebServer> web;  ///< null: no page is served
    std::unique_ptr<control::Server> control;
    std::unique_ptr<health::Watchdog> watchdog;
};

/// How people and programs reach the daemon: signals, the control protocol, the page and metrics.
/// Built after all parts, and destroyed before them.
class Faces {
  public:
    /// `parts` must outlive the result.
    ///
    /// Errors:  those of `control::Server` and `web::WebServer`.
    static Result<std::unique_ptr<Faces>> open(Parts& parts);

    const operations::Table& table() const { return *operations_->table; }

  private:
    Faces(Parts& parts, std::unique_ptr<const OperationSet> operations, Doors doors);

    const std::unique_ptr<const OperationSet> operations_;
    const Doors doors_;  ///< all null in a process that does not serve
    const SignalWaiter signals_;
};

}  // namespace a2h
