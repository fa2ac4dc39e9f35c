#include <iostream>

#include "core/base/log.h"
#include "core/i18n/messages.h"
#include "market/commands.h"
#include "market/options.h"

namespace {

using namespace a2h;

int ended(const Result<void>& result) {
    if (result) return 0;
    log::error(result.error().message);
    return 1;
}

int run(const market::ServeOptions& options) {
    return ended(market::serve(options));
}

int run(const market::BrokerConfigOptions& options) {
    const auto config = market::broker_config(options);
    if (!config) return ended(fail(config.error()));
    std::cout << *config << std::flush;
    return std::cout ? 0 : 1;
}

int run(const market::RevokeOptions& options) {
    const auto revoked = market::revoke(options);
    if (!revoked) return ended(revoked);
    std::cout << i18n::text(i18n::language_of_environment(), "market.revoked",
                            {{"agent", options.agent_id}})
              << "\n"
              << std::flush;
    return 0;
}

int run(const market::Finished& finished) {
    return finished.exit_status;
}

}  // namespace

int main(int argc, char** argv) {
    return std::visit([](const auto& options) { return run(options); },
                      market::read_options(argc, argv));
}
