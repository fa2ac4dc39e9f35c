#include "market/store/agent_store.h"

namespace a2h::market::store {
namespace {

constexpr auto kAgent = sql::table<Agent>(
    "agent",
    A2H_COLUMNS(Agent, agent_id, name, agent_key, key_id, public_key, require_nonce, created_at_ms),
    sql::column("revoked_at_ms", &Agent::revoked, sql::IsSet{}));

Unexpected no_such_agent(std::string_view agent_id) {
    return fail(ErrorCode::NotFound, "there is no agent " + std::string(agent_id));
}

}  // namespace

Result<Agent> add_agent(db::Transaction& transaction, const Agent& agent) {
    static constexpr auto kNew = sql::without<kAgent, &Agent::revoked>();
    static const std::string kInsert = kNew.insert("on conflict do nothing");
    static const std::string kOfKey = kAgent.select("where public_key = $1");
    A2H_TRY(transaction.statement(kInsert).put(kNew, agent));
    A2H_ASSIGN_OR_RETURN(auto present,
                         transaction.statement(kOfKey).first(kAgent, agent.public_key));
    if (!present) {
        return fail(ErrorCode::Conflict, "the agent id " + agent.agent_id + " is taken");
    }
    return std::move(*present);
}

Result<std::optional<Agent>> find_agent(db::Transaction& transaction, std::string_view agent_id) {
    static const std::string kSql = kAgent.select("where agent_id = $1");
    return transaction.statement(kSql).first(kAgent, agent_id);
}

Result<void> rename_agent(db::Transaction& transaction, std::string_view agent_id,
                          std::string_view name) {
    static constexpr std::string_view kSql = "update agent set name = $1 where agent_id = $2";
    A2H_ASSIGN_OR_RETURN(const bool changed,
                         transaction.statement(kSql).changes_a_row(name, agent_id));
    return changed ? Result<void>() : no_such_agent(agent_id);
}

Result<void> revoke_agent(db::Transaction& transaction, std::string_view agent_id, UnixMs now_ms) {
    static constexpr std::string_view kRevoke =
        "update agent set revoked_at_ms = coalesce(revoked_at_ms, $1) where agent_id = $2";
    // Readers of the changes of profiles learn that this agent must not be asked any more.
    static constexpr std::string_view kTell =
        "update agent_profile set updated_at_ms = $1 where agent_id = $2";
    A2H_ASSIGN_OR_RETURN(const bool changed,
                         transaction.statement(kRevoke).changes_a_row(now_ms, agent_id));
    if (!changed) return no_such_agent(agent_id);
    return transaction.statement(kTell).run(now_ms, agent_id);
}

Result<std::vector<std::string>> revoked_agents(db::Transaction& transaction) {
    static constexpr std::string_view kRevoked =
        "select agent_id from agent where revoked_at_ms is not null order by agent_id";
    return transaction.statement(kRevoked).all(sql::kFirstText);
}

}  // namespace a2h::market::store
