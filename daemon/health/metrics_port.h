#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "core/base/result.h"
#include "core/http/server.h"
#include "daemon/kernel/loop.h"

namespace a2h::health {

/// Serves `GET /metrics` on a loopback address to any program of this machine. Requests with other
/// host names are refused, so that no foreign page can read the metrics.
class MetricsPort {
  public:
    /// `read` runs on the loop and returns the text.
    ///
    /// Errors:  Conflict if the port is in use; InvalidArgument for a bad address.
    static Result<std::unique_ptr<MetricsPort>> start(const std::string& address,
                                                      std::uint16_t port, Loop& loop,
                                                      std::function<Result<std::string>()> read);
    const std::string& url() const { return url_; }

  private:
    MetricsPort() = default;

    std::string url_;
    std::unique_ptr<http::Server> server_;
};

}  // namespace a2h::health
