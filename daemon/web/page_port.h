#pragma once

#include <memory>
#include <string>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/control/home.h"
#include "core/http/listen.h"
#include "core/http/tls_front.h"
#include "daemon/config/current.h"
#include "daemon/operations/page_links.h"
#include "daemon/web/page_data.h"
#include "daemon/web/reach.h"
#include "daemon/web/sessions.h"

namespace a2h::web {

/// Reserves the address on which the page will be served, and does everything else that may fail.
/// Requests are answered only once there is a `WebServer`.
///
/// Thread:  the loop for `make_link`.
class PagePort final : public operations::PageLinks {
  public:
    /// Writes the token of /api/v1 into the home. `config` and `clock` must outlive the result.
    ///
    /// Errors:  Conflict if the port is in use; InvalidArgument for a bad address; those of the
    ///          certificate, of opening the database and of writing the token.
    static Result<std::unique_ptr<PagePort>> open(const Current<Config>& config, const Clock& clock,
                                                  const control::Home& home);
    ~PagePort();
    PagePort(const PagePort&) = delete;
    PagePort& operator=(const PagePort&) = delete;

    /// The URL for people: scheme, host and port.
    const std::string& url() const { return site_.url; }
    Result<std::string> make_link(const std::string& person) override;

    // For the server.
    const SiteOptions& site() const { return site_; }
    const std::string& api_token() const { return api_token_; }
    Sessions& sessions() { return sessions_; }
    PageData& data() { return *data_; }
    /// The caller must close it.
    http::Listener take_listener();

  private:
    PagePort(const Current<Config>& config, const Clock& clock)
        : config_(config), sessions_(clock) {}
    Result<std::uint16_t> listen(const Config& config);

    const Current<Config>& config_;
    Sessions sessions_;
    SiteOptions site_;
    bool is_private_ = false;  ///< sessions do not cross a network unencrypted
    std::string api_token_;
    std::unique_ptr<PageData> data_;
    http::Listener listener_;
    std::unique_ptr<http::TlsFront> front_;  ///< in front of the server, if there is TLS
};

/// The page's address, or why there is none.
struct Page {
    std::unique_ptr<PagePort> port;
    operations::Served served;
};
/// `PagePort::open`; a failure is logged.
Page open_page(const Current<Config>& config, const Clock& clock, const control::Home& home);

}  // namespace a2h::web
