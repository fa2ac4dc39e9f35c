#pragma once

#include <memory>

#include "core/base/current.h"
#include "core/base/result.h"
#include "core/control/home.h"
#include "core/http/server.h"
#include "daemon/config/config.h"
#include "daemon/operations/ask.h"
#include "daemon/operations/operation.h"
#include "daemon/web/demand_api.h"
#include "daemon/web/live.h"
#include "daemon/web/negotiation_feed.h"
#include "daemon/web/page_port.h"
#include "daemon/web/site.h"

namespace a2h::notify {
struct Audience;
}

namespace a2h::web {

/// The parts that the page uses.
///
/// Thread:  as stated by each of them.
struct PageParts : operations::Asker {
    const operations::Table& table;
    const Current<notify::Audience>& audience;
    notify::Buttons& buttons;
};

/// Serves the application, the page of each approval and /api/v1 on the configured address, over
/// TLS if there is a certificate. Requests run on the HTTP server's threads. They read through a
/// connection of their own, and for changes wait up to 5 s for the loop, or up to 20 s if a model
/// is asked.
class WebServer {
  public:
    /// Connections that follow a negotiation are not included.
    static constexpr std::size_t kConnectionsMax = NegotiationFeed::kReadersMax + 500;

    /// `port` must outlive the result.
    ///
    /// Errors:  those of `http::Server`.
    static Result<std::unique_ptr<WebServer>> start(const PageParts& parts, PagePort& port);

  private:
    WebServer(const PageParts& parts, PagePort& port);
    http::Response serve(const http::Request& request);

    const PageParts parts_;
    LiveFeed live_;
    NegotiationFeed stories_;
    Site site_;
    DemandApi demands_;
    std::unique_ptr<http::Server> server_;  ///< its threads use the members above
};

}  // namespace a2h::web
