#include <nlohmann/json.hpp>

#include "daemon/context/current_rules.h"
#include "daemon/operations/operation.h"
#include "daemon/operations/registration.h"

namespace a2h::operations {
namespace {

using nlohmann::json;

struct PlaybookParts {
    CurrentRules& current_rules;
};

void handle_playbook_reload(const PlaybookParts& parts, const Call& call, const Reply& reply) {
    CurrentRules& current = parts.current_rules;
    if (const auto loaded = current.reload(); !loaded) {
        reply(error_result(call.action, loaded.error(),
                           "The previous rules stay in use. Repair the file and reload again."));
        return;
    }
    reply(ok_result(call.action, {{"version", current.rules().version()}}));
}

Result<json> handle_playbook_trades(const PlaybookParts& parts, const Call&) {
    A2H_ASSIGN_OR_RETURN(const auto trades, reading::trades_in_use(parts.current_rules.trades()));
    json rows = json::array();
    for (const reading::TradeInUse& trade : trades) {
        rows.push_back(
            {{"name", trade.name}, {"is_read", trade.is_read}, {"is_owners", trade.is_owners}});
    }
    return json{{"trades", std::move(rows)}};
}

}  // namespace

void add_playbook(Table& table, const AllParts& all) {
    const PlaybookParts parts{all.rules};
    table.add("playbook.reload", with(parts, handle_playbook_reload));
    table.add("playbook.trades", with(parts, handle_playbook_trades));
}

}  // namespace a2h::operations
