#pragma once

// Inside daemon/app only.

#include <memory>

#include "core/control/server.h"
#include "daemon/app/parts.h"
#include "daemon/health/metrics_port.h"
#include "daemon/health/watchdog.h"
#include "daemon/operations/pin_proof.h"

namespace a2h {

/// All operations, each file of them with the parts that it works with.
std::unique_ptr<const operations::Table> make_table(Parts& parts, const operations::Sender& sender,
                                                    const operations::Meter& meter,
                                                    const operations::OwnerProof& proof,
                                                    const std::string& metrics_url);

/// How people and programs reach the daemon: signals, the control protocol, the page and metrics.
/// Built after all parts, and destroyed before them.
class Faces {
  public:
    /// `parts` must outlive the result.
    ///
    /// Errors:  those of `control::Server` and `web::WebServer`.
    static Result<std::unique_ptr<Faces>> open(Parts& parts);

    const operations::Table& table() const { return *table_; }

  private:
    explicit Faces(Parts& parts);
    Result<void> serve(Parts& parts);

    const operations::Sender sender_;
    const operations::Meter meter_;
    const operations::PinProof proof_;
    const std::unique_ptr<health::MetricsPort> metrics_port_;  ///< null: none is served
    const std::unique_ptr<const operations::Table> table_;
    // `serve` makes the next three, because it can fail. They are null in a process that does not
    // serve.
    std::unique_ptr<web::WebServer> web_server_;
    std::unique_ptr<control::Server> control_server_;
    std::unique_ptr<health::Watchdog> watchdog_;
    const SignalWaiter signals_;
};

}  // namespace a2h
