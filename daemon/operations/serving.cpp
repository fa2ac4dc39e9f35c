#include "daemon/operations/serving.h"

#include <string>
#include <utility>

#include "core/base/log.h"
#include "core/systemd/activation.h"
#include "daemon/health/exposition.h"
#include "daemon/operations/meter.h"
#include "daemon/operations/operation.h"

namespace a2h::operations {

Result<std::unique_ptr<control::Server>> serve_control(Loop& loop, const Table& table,
                                                       const control::Home& home) {
    A2H_ASSIGN_OR_RETURN(const auto handed_over, systemd::take_listening_socket());
    auto on_line = [&loop, &table](std::string line, control::Server::Respond respond) {
        loop.post([&table, line = std::move(line), respond = std::move(respond)] {
            table.run_line(line, respond);
        });
    };
    return handed_over ? control::Server::adopt(*handed_over, std::move(on_line))
                       : control::Server::start(home.socket_file(), std::move(on_line));
}

std::unique_ptr<health::MetricsPort> serve_metrics(const Current<Config>& current,
                                                   const Meter& meter) {
    const auto config = current.get();
    if (config->metrics_address.empty()) return nullptr;
    auto port =
        health::MetricsPort::start(config->metrics_address, config->metrics_port, meter.kernel.loop,
                                   [&meter]() -> Result<std::string> {
                                       A2H_ASSIGN_OR_RETURN(const auto families, metrics_of(meter));
                                       return health::exposition_text(families);
                                   });
    if (port) return std::move(*port);
    log::warning("Metrics are not served: " + port.error().message +
                 "; set metrics.listen in config.toml, or use `a2h metrics`");
    return nullptr;
}

}  // namespace a2h::operations
