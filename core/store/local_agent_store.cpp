#include "core/store/local_agent_store.h"

#include <set>
#include <string>

#include "core/store/statement.h"

namespace a2h::store {
namespace {

constexpr auto kLocalAgent = sql::table<LocalAgent>(
    "local_agent",
    A2H_COLUMNS(LocalAgent, agent_id, parent_id, role_id, agent_key, key_id, public_key, secret_key,
                is_registered, created_at_ms, stopped_at_ms),
    sql::column("state", &LocalAgent::state, parse_local_agent_state));

Unexpected not_active(std::string_view agent_id) {
    return fail(ErrorCode::NotFound,
                std::string(agent_id) + " is not an active agent of this home");
}

}  // namespace

Result<void> insert_local_agent(Database& db, const LocalAgent& agent) {
    static const std::string kSql = kLocalAgent.insert();
    return db.statement(kSql).put(kLocalAgent, agent);
}

Result<std::optional<LocalAgent>> get_local_agent(Database& db, std::string_view agent_id) {
    static const std::string kSql = kLocalAgent.select("where agent_id = ?");
    return db.statement(kSql).first(kLocalAgent, agent_id);
}

Result<std::vector<LocalAgent>> list_local_agents(Database& db) {
    static const std::string kSql = kLocalAgent.select("order by number");
    return db.statement(kSql).all(kLocalAgent);
}

Result<std::vector<std::string>> active_agents_below(Database& db, const std::string& root_id) {
    A2H_ASSIGN_OR_RETURN(const auto all, list_local_agents(db));
    std::set<std::string> found{root_id};
    for (const LocalAgent& agent : all) {
        const bool is_active = agent.state == LocalAgentState::Active;
        if (is_active && found.contains(agent.parent_id)) found.insert(agent.agent_id);
    }
    return std::vector(found.begin(), found.end());
}

Result<void> stop_local_agent(Database& db, std::string_view agent_id, UnixMs now_ms) {
    static constexpr const char* kSql =
        "update local_agent set state = 'stopped', stopped_at_ms = ?2 "
        "where agent_id = ?1 and state = 'active'";
    Statement& stop = db.statement(kSql);
    A2H_TRY(stop.run(agent_id, now_ms));
    return stop.changes() == 1 ? Result<void>() : not_active(agent_id);
}

Result<void> set_local_agent_registered(Database& db, std::string_view agent_id,
                                        std::string_view agent_key) {
    static constexpr const char* kSql =
        "update local_agent set is_registered = 1, agent_key = ?2 "
        "where agent_id = ?1 and state = 'active'";
    Statement& update = db.statement(kSql);
    A2H_TRY(update.run(agent_id, agent_key));
    return update.changes() == 1 ? Result<void>() : not_active(agent_id);
}

}  // namespace a2h::store
