#include <nlohmann/json.hpp>

#include "daemon/operations/operation.h"

namespace a2h::operations {

void handle_playbook_reload(Runtime& runtime, const Call& call, const Reply& reply) {
    CurrentRules& current = runtime.current_rules;
    if (const auto loaded = current.reload(); !loaded) {
        reply(error_result(call.action, loaded.error(),
                           "The rules of before stay. Repair the file and reload again."));
        return;
    }
    reply(ok_result(call.action, {{"version", current.rules().version()}}));
}

}  // namespace a2h::operations
