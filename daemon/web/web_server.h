#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/current.h"
#include "core/base/result.h"
#include "core/control/home.h"
#include "core/http/server.h"
#include "core/http/tls_front.h"
#include "daemon/config/config.h"
#include "daemon/operations/runtime.h"
#include "daemon/web/demand_api.h"
#include "daemon/web/live.h"
#include "daemon/web/negotiation_feed.h"
#include "daemon/web/page_data.h"
#include "daemon/web/site.h"

namespace a2h::web {

/// Serves the application, the page of each approval and /api/v1 on the configured address, over
/// TLS where there is a certificate. Requests run on the HTTP server's threads; they read through a
/// connection of their own, and wait up to 5 s for the loop when something changes, where models
/// think up to 20 s.
class WebServer {
  public:
    /// Writes the token of /api/v1 into the home. Errors: Conflict when the port is taken;
    /// InvalidArgument for a bad address; those of opening the database and of writing the token.
    static Result<std::unique_ptr<WebServer>> start(const Current<Config>& config,
                                                    const consent::HumanSecrets& secrets,
                                                    Runtime& runtime, const control::Home& home);
    /// Where people reach it: scheme, host and port.
    const std::string& url() const { return url_; }
    /// A one-time link to the application. Errors: Unavailable when sessions would cross a network
    /// in clear; NotFound when nobody is called that.
    Result<std::string> make_link(const std::string& person);

  private:
    WebServer() = default;
    http::Response serve(const http::Request& request);

    std::string url_;
    bool is_private_ = false;
    const Current<Config>* config_ = nullptr;
    std::unique_ptr<PageData> data_;
    std::unique_ptr<LiveFeed> live_;
    std::unique_ptr<NegotiationFeed> stories_;
    std::unique_ptr<Site> site_;
    std::unique_ptr<DemandApi> demands_;
    std::unique_ptr<http::Server> server_;   ///< its threads use those above
    std::unique_ptr<http::TlsFront> front_;  ///< before `server_`, where there is TLS
};

}  // namespace a2h::web
