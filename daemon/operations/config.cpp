#include "daemon/config/texts.h"

#include <nlohmann/json.hpp>

#include "daemon/operations/operation.h"

namespace a2h::operations {

void handle_config_reload(Runtime& runtime, const Call& call, const Reply& reply) {
    runtime.reload([reply, action = call.action](const Result<config::Changes>& changes) {
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
    nlohmann::json data = config::shown(*runtime.context.config, *runtime.origins);
    data["file"] = runtime.config_file.string();
    data["is_running"] = true;
    reply(ok_result(call.action, std::move(data)));
}

}  // namespace a2h::operations
