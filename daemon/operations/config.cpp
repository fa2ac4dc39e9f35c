#include "daemon/config/texts.h"

#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "daemon/config/current.h"
#include "daemon/kernel/kernel.h"
#include "daemon/operations/operation.h"
#include "daemon/operations/registration.h"
#include "daemon/operations/reload.h"

namespace a2h::operations {

namespace {

struct ConfigParts {
    const kernel::Kernel& kernel;
    const Current<Config>& config;
    Reload& reload;
};

void handle_config_reload(const ConfigParts& parts, const Call& call, const Reply& reply) {
    parts.reload.start([reply, action = call.action](const Result<config::Changes>& changes) {
        if (!changes) {
            reply(error_result(action, changes.error(),
                               "The configuration of before stays. Repair the file, see "
                               "`a2h config check`; then `a2h reload` again."));
            return;
        }
        reply(ok_result(action,
                        {{"taken", changes->taken}, {"need_restart", changes->need_restart}}));
    });
}

void handle_config_show(const ConfigParts& parts, const Call& call, const Reply& reply) {
    using File = std::shared_ptr<Result<config::Loaded>>;
    parts.kernel.run_blocking<File>(
        [file = parts.reload.file()] {
            return std::make_shared<Result<config::Loaded>>(config::load(file));
        },
        [&parts, reply, action = call.action](const File& file) {
            const config::Loaded running{*parts.config.get(), parts.reload.origins()};
            nlohmann::json data = config::shown(running.config, running.origins);
            config::add_waiting(data, running, std::move(*file));
            data["file"] = parts.reload.file().string();
            data["is_running"] = true;
            reply(ok_result(action, std::move(data)));
        },
        [] {
            return std::make_shared<Result<config::Loaded>>(
                fail(ErrorCode::Unavailable, "a2hd is too busy; try again later"));
        });
}

}  // namespace

void add_config(Table& table, const AllParts& all) {
    const ConfigParts parts{all.kernel, all.config, all.reload};
    table.add("config.reload", with(parts, handle_config_reload));
    table.add("config.show", with(parts, handle_config_show));
}

}  // namespace a2h::operations
