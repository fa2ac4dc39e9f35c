#include "market/store/agent_store.h"

namespace a2h::market::store {
namespace {

constexpr std::string_view kSelectAgent =
    "select agent_id, name, agent_key, key_id, public_key, require_nonce, created_at_ms,"
    " revoked_at_ms from agent where ";

Agent read_agent(const db::Row& row) {
    return {.agent_id = row.text(0),
            .name = row.text(1),
            .agent_key = row.text(2),
            .key_id = row.text(3),
            .public_key = row.text(4),
            .require_nonce = row.integer(5) != 0,
            .created_at_ms = row.integer(6),
            .revoked = !row.is_null(7)};
}

Result<std::optional<Agent>> find(db::Transaction& transaction, std::string_view condition,
                                  std::string_view value) {
    A2H_ASSIGN_OR_RETURN(
        const auto row,
        transaction.query_one(std::string(kSelectAgent).append(condition), {std::string(value)}));
    if (!row) return std::optional<Agent>();
    return std::optional(read_agent(*row));
}

}  // namespace

Result<Agent> add_agent(db::Transaction& transaction, const Agent& agent) {
    static constexpr std::string_view kInsert =
        "insert into agent (agent_id, name, agent_key, key_id, public_key, require_nonce,"
        " created_at_ms) values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing";
    A2H_TRY(transaction.execute(
        kInsert, {agent.agent_id, agent.name, agent.agent_key, agent.key_id, agent.public_key,
                  std::int64_t{agent.require_nonce}, agent.created_at_ms}));
    A2H_ASSIGN_OR_RETURN(auto present, find(transaction, "public_key = $1", agent.public_key));
    if (!present) {
        return fail(ErrorCode::Conflict, "the agent id " + agent.agent_id + " is taken");
    }
    return std::move(*present);
}

Result<std::optional<Agent>> find_agent(db::Transaction& transaction, std::string_view agent_id) {
    return find(transaction, "agent_id = $1", agent_id);
}

Result<void> rename_agent(db::Transaction& transaction, std::string_view agent_id,
                          std::string_view name) {
    A2H_ASSIGN_OR_RETURN(const auto changed,
                         transaction.execute("update agent set name = $1 where agent_id = $2",
                                             {std::string(name), std::string(agent_id)}));
    if (changed == 0) {
        return fail(ErrorCode::NotFound, "there is no agent " + std::string(agent_id));
    }
    return {};
}

Result<void> revoke_agent(db::Transaction& transaction, std::string_view agent_id, UnixMs now_ms) {
    static constexpr std::string_view kRevoke =
        "update agent set revoked_at_ms = coalesce(revoked_at_ms, $1) where agent_id = $2";
    // Who reads the changes of profiles learns that this one is not to be asked any more.
    static constexpr std::string_view kTell =
        "update agent_profile set updated_at_ms = $1 where agent_id = $2";
    A2H_ASSIGN_OR_RETURN(const auto changed,
                         transaction.execute(kRevoke, {now_ms, std::string(agent_id)}));
    if (changed == 0) {
        return fail(ErrorCode::NotFound, "there is no agent " + std::string(agent_id));
    }
    const auto told = transaction.execute(kTell, {now_ms, std::string(agent_id)});
    return told ? Result<void>() : fail(told.error());
}

Result<std::vector<std::string>> revoked_agents(db::Transaction& transaction) {
    static constexpr std::string_view kRevoked =
        "select agent_id from agent where revoked_at_ms is not null order by agent_id";
    A2H_ASSIGN_OR_RETURN(const auto rows, transaction.query(kRevoked, {}));
    std::vector<std::string> agents;
    for (const db::Row& row : rows)
        agents.push_back(row.text(0));
    return agents;
}

}  // namespace a2h::market::store
