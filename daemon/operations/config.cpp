#include "daemon/config/texts.h"

#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "daemon/operations/operation.h"
#include "daemon/operations/reload.h"

namespace a2h::operations {

void handle_config_reload(Runtime& runtime, const Call& call, const Reply& reply) {
    runtime.reload.start([reply, action = call.action](const Result<config::Changes>& changes) {
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

void handle_config_show(Runtime& runtime, const Call& call, const Reply& reply) {
    using File = std::shared_ptr<Result<config::Loaded>>;
    runtime.context.run_blocking<File>(
        [file = runtime.reload.file()] {
            return std::make_shared<Result<config::Loaded>>(config::load(file));
        },
        [&runtime, reply, action = call.action](const File& file) {
            const config::Loaded running{*runtime.context.config.get(), runtime.reload.origins()};
            nlohmann::json data = config::shown(running.config, running.origins);
            config::add_waiting(data, running, std::move(*file));
            data["file"] = runtime.reload.file().string();
            data["is_running"] = true;
            reply(ok_result(action, std::move(data)));
        },
        [] {
            return std::make_shared<Result<config::Loaded>>(
                fail(ErrorCode::Unavailable, "too much waits for a worker; try again"));
        });
}

}  // namespace a2h::operations
