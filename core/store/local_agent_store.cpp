#include "core/store/local_agent_store.h"

#include <set>
#include <string>

#include "core/store/statement.h"

namespace a2h::store {
namespace {

#define A2H_LOCAL_AGENT_COLUMNS                                                        \
    "agent_id, parent_id, role_id, state, agent_key, key_id, public_key, secret_key, " \
    "is_registered, created_at_ms, stopped_at_ms"

LocalAgent read_local_agent(Row& row) {
    LocalAgent agent;
    agent.agent_id = row.text(0);
    agent.parent_id = row.text(1);
    agent.role_id = row.text(2);
    agent.state = row.name(3, parse_local_agent_state);
    agent.agent_key = row.text(4);
    agent.key_id = row.text(5);
    agent.public_key = row.text(6);
    agent.secret_key = row.text(7);
    agent.is_registered = row.integer(8) != 0;
    agent.created_at_ms = row.integer(9);
    agent.stopped_at_ms = row.integer(10);
    return agent;
}

Unexpected not_active(std::string_view agent_id) {
    return fail(ErrorCode::NotFound,
                std::string(agent_id) + " is not an active agent of this home");
}

}  // namespace

Result<void> insert_local_agent(Database& db, const LocalAgent& agent) {
    static constexpr const char* kSql = "insert into local_agent (" A2H_LOCAL_AGENT_COLUMNS
                                        ") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    return db.statement(kSql).run(agent.agent_id, agent.parent_id, agent.role_id,
                                  to_string(agent.state), agent.agent_key, agent.key_id,
                                  agent.public_key, agent.secret_key, agent.is_registered ? 1 : 0,
                                  agent.created_at_ms, agent.stopped_at_ms);
}

Result<std::optional<LocalAgent>> get_local_agent(Database& db, std::string_view agent_id) {
    static constexpr const char* kSql =
        "select " A2H_LOCAL_AGENT_COLUMNS " from local_agent where agent_id = ?";
    return db.statement(kSql).first(read_local_agent, agent_id);
}

Result<std::vector<LocalAgent>> list_local_agents(Database& db) {
    static constexpr const char* kSql =
        "select " A2H_LOCAL_AGENT_COLUMNS " from local_agent order by number";
    return db.statement(kSql).all(read_local_agent);
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

#undef A2H_LOCAL_AGENT_COLUMNS

}  // namespace a2h::store
