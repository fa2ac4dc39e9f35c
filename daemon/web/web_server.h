#pragma once

#include <memory>
#include <string>

#include "core/base/result.h"
#include "core/http/server.h"
#include "daemon/config.h"
#include "daemon/runtime.h"

namespace a2h::web {

/// Serves the approval page on the configured address. Requests run on the HTTP server's threads
/// and wait up to 5 s for the loop.
class WebServer {
  public:
    /// Errors: Conflict when the port is taken; InvalidArgument for a bad address.
    static Result<std::unique_ptr<WebServer>> start(const Config& config,
                                                    const approvals::HumanSecrets& secrets,
                                                    Runtime& runtime);
    std::string url() const;

  private:
    WebServer() = default;
    std::string address_;
    std::unique_ptr<http::Server> server_;
};

}  // namespace a2h::web
