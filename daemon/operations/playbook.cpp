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

void handle_playbook_trades(Runtime& runtime, const Call& call, const Reply& reply) {
    const auto trades = reading::trades_in_use(runtime.current_rules.trades());
    if (!trades) return reply(error_result(call.action, trades.error()));
    nlohmann::json rows = nlohmann::json::array();
    for (const reading::TradeInUse& trade : *trades) {
        rows.push_back(
            {{"name", trade.name}, {"is_read", trade.is_read}, {"is_owners", trade.is_owners}});
    }
    reply(ok_result(call.action, {{"trades", std::move(rows)}}));
}

}  // namespace a2h::operations
