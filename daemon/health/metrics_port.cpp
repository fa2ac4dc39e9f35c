#include "daemon/health/metrics_port.h"

#include <utility>

#include "core/http/listen.h"
#include "daemon/health/exposition.h"
#include "daemon/kernel/ask_loop.h"

namespace a2h::health {
namespace {

http::Response plain(int status, std::string sentence) {
    return {.status = status,
            .headers = {{"Content-Type", "text/plain; charset=utf-8"}},
            .body = std::move(sentence) + "\n"};
}

/// Ignores the port. A foreign page would use a name of its own that resolves to this machine.
bool names_this_machine(std::string_view host) {
    const bool is_v6 = host.starts_with('[');
    const std::string name(is_v6 ? host.substr(1, host.find(']') - 1)
                                 : host.substr(0, host.find(':')));
    return name == "localhost" || http::is_loopback(name);
}

http::Response answer_scrape(const http::Request& request, Loop& loop,
                             const std::function<Result<std::string>()>& read) {
    if (request.path != "/metrics") return plain(404, "metrics are at /metrics");
    if (request.method != "GET" && request.method != "HEAD") {
        auto response = plain(405, "only GET and HEAD are allowed");
        response.headers.emplace_back("Allow", "GET, HEAD");
        return response;
    }
    auto text = ask_loop<std::string>(
        loop, [&read](const std::function<void(Result<std::string>)>& done) { done(read()); });
    if (!text) return plain(503, text.error().message);
    return {.status = 200,
            .headers = {{"Content-Type", std::string(kExpositionType)}},
            .body = std::move(*text)};
}

}  // namespace

Result<std::unique_ptr<MetricsPort>> MetricsPort::start(const std::string& address,
                                                        std::uint16_t port, Loop& loop,
                                                        std::function<Result<std::string>()> read) {
    constexpr std::size_t kConnectionsMax = 16;
    auto handler = [&loop, read = std::move(read)](const http::Request& request) {
        return names_this_machine(request.header("host")) ? answer_scrape(request, loop, read)
                                                          : plain(421, "wrong host");
    };
    http::Server::Options options;
    options.address = address;
    options.port = port;
    options.handler_threads = 1;
    options.connections_max = kConnectionsMax;
    A2H_ASSIGN_OR_RETURN(auto server, http::Server::start(std::move(options), std::move(handler)));
    std::unique_ptr<MetricsPort> made(new MetricsPort());
    made->server_ = std::move(server);
    made->url_ = "http://" + http::host_and_port(address, made->server_->port()) + "/metrics";
    return made;
}

}  // namespace a2h::health
