#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/domain/message.h"
#include "core/store/database.h"
#include "core/store/statement.h"

namespace a2h::test {

/// The messages to `agent_id` that were refused, newest first; ids grow for each agent.
inline Result<std::vector<RefusedMessage>> list_refused(store::Database& db,
                                                        std::string_view agent_id, int limit) {
    static constexpr auto kRefused = sql::table<RefusedMessage>(
        "refused_message",
        A2H_COLUMNS(RefusedMessage, agent_id, claimed_sender, detail, size_bytes, received_at_ms,
                    digest),
        sql::column("number", &RefusedMessage::id),
        sql::column("reason", &RefusedMessage::reason, parse_refusal),
        sql::column("provenance", &RefusedMessage::provenance, parse_provenance));
    static const std::string kSql =
        kRefused.select("where agent_id = ? order by number desc limit ?");
    return db.statement(kSql).all(kRefused, agent_id, limit);
}

}  // namespace a2h::test
