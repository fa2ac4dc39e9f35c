#include "daemon/web/page_port.h"

#include <unistd.h>

#include <utility>
#include <vector>

#include "core/base/ids.h"
#include "core/base/log.h"
#include "daemon/backup/folder.h"
#include "daemon/web/site.h"
#include "daemon/web/web_server.h"

namespace a2h::web {
namespace {

constexpr std::size_t kApiTokenBytes = 32;

/// Host names by which this machine can reach the address. Other names are accepted only if the
/// address is reachable from outside.
std::vector<std::string> known_hosts(const Config& config, std::uint16_t port) {
    if (!http::is_loopback(config.web_address) || !config.web_public_url.empty()) return {};
    return {http::host_and_port(config.web_address, port), http::host_and_port("localhost", port),
            http::host_and_port("::1", port)};
}

SiteOptions site_options(const Config& config, std::uint16_t port) {
    const std::string scheme = config.web_tls_certificate.empty() ? "http://" : "https://";
    SiteOptions options;
    options.url = config.web_public_url.empty()
                      ? scheme + http::host_and_port(config.web_address, port)
                      : config.web_public_url;
    options.hosts = known_hosts(config, port);
    options.secure = options.url.starts_with("https://");
    return options;
}

/// A new token for programs that may read the home, which are those of its owner.
Result<std::string> write_api_token(const control::Home& home) {
    std::string token = random_hex(kApiTokenBytes);
    A2H_TRY(backup::write_durable(home.api_token_file(), token + "\n"));
    return token;
}

}  // namespace

Result<std::unique_ptr<PagePort>> PagePort::open(const Current<Config>& config, const Clock& clock,
                                                 const control::Home& home) {
    const auto now = config.get();
    std::unique_ptr<PagePort> made(new PagePort(config, clock));
    A2H_ASSIGN_OR_RETURN(made->data_, PageData::open(home.database_file()));
    A2H_ASSIGN_OR_RETURN(made->api_token_, write_api_token(home));
    A2H_ASSIGN_OR_RETURN(const auto port, made->listen(*now));
    made->site_ = site_options(*now, port);
    made->is_private_ = http::is_loopback(now->web_address) || made->site_.secure;
    return made;
}

PagePort::~PagePort() {
    if (listener_.descriptor >= 0) ::close(listener_.descriptor);
}

/// With TLS the plain server listens on loopback, and the TLS front is what people reach.
Result<std::uint16_t> PagePort::listen(const Config& config) {
    const bool has_tls = !config.web_tls_certificate.empty();
    A2H_ASSIGN_OR_RETURN(listener_, has_tls ? http::listen_on("127.0.0.1", 0)
                                            : http::listen_on(config.web_address, config.web_port));
    if (!has_tls) return listener_.port;
    A2H_ASSIGN_OR_RETURN(front_,
                         http::TlsFront::start({.address = config.web_address,
                                                .port = config.web_port,
                                                .certificate_file = config.web_tls_certificate,
                                                .key_file = config.web_tls_key,
                                                .target_port = listener_.port,
                                                .connections_max = WebServer::kConnectionsMax}));
    return front_->port();
}

http::Listener PagePort::take_listener() {
    return std::exchange(listener_, http::Listener());
}

Result<std::string> PagePort::make_link(const std::string& person) {
    if (!is_private_) {
        return fail(ErrorCode::Unavailable,
                    "sessions would cross the network unencrypted; set web.tls_certificate and "
                    "web.tls_key, or web.public_url to an https:// address in front of it");
    }
    if (!is_person(config_->approval.people, person)) {
        return fail(ErrorCode::NotFound, "there is no person \"" + person + "\" in config.toml");
    }
    return entrance_url(site_, sessions_.make_link(person));
}

Page open_page(const Current<Config>& config, const Clock& clock, const control::Home& home) {
    Page page;
    auto port = PagePort::open(config, clock, home);
    if (port) {
        page.port = std::move(*port);
        page.served.page_url = page.port->url();
        return page;
    }
    page.served.page_problem = port.error().message;
    log::warning("The approval page is not served: " + port.error().message +
                 "; answer with `a2h approve` or set web.listen in config.toml");
    return page;
}

}  // namespace a2h::web
