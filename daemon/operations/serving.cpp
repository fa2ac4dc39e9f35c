#include "daemon/operations/serving.h"

#include <string>
#include <utility>

#include "core/base/log.h"
#include "core/service/activation.h"
#include "daemon/health/exposition.h"
#include "daemon/operations/metrics.h"
#include "daemon/operations/operation.h"

namespace a2h::operations {

Result<std::unique_ptr<control::Server>> serve_control(Runtime& runtime,
                                                       const control::Home& home) {
    A2H_ASSIGN_OR_RETURN(const auto handed_over, service::take_listening_socket());
    auto on_line = [&runtime](std::string line, control::Server::Respond respond) {
        runtime.context.loop.post([&runtime, line = std::move(line), respond = std::move(respond)] {
            dispatch_line(runtime, line, respond);
        });
    };
    return handed_over ? control::Server::adopt(*handed_over, std::move(on_line))
                       : control::Server::start(home.socket_file(), std::move(on_line));
}

std::unique_ptr<health::MetricsPort> serve_metrics(Runtime& runtime) {
    const auto config = runtime.context.config.get();
    if (config->metrics_address.empty()) return nullptr;
    auto port = health::MetricsPort::start(
        config->metrics_address, config->metrics_port, runtime.context.loop,
        [&runtime]() -> Result<std::string> {
            A2H_ASSIGN_OR_RETURN(const auto families, metrics_of(runtime));
            return health::exposition_text(families);
        });
    if (port) return std::move(*port);
    log::warning("Metrics are not served: " + port.error().message +
                 "; set metrics.listen in config.toml, or use `a2h metrics`");
    return nullptr;
}

}  // namespace a2h::operations
