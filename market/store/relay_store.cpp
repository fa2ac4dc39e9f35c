#include "market/store/relay_store.h"

namespace a2h::market::store {

Result<std::optional<OwnAgent>> find_own_agent(db::Transaction& transaction) {
    A2H_ASSIGN_OR_RETURN(const auto row,
                         transaction.query_one("select agent_id, secret_key from own_agent", {}));
    if (!row) return std::optional<OwnAgent>();
    A2H_ASSIGN_OR_RETURN(auto agent, find_agent(transaction, row->text(0)));
    if (!agent) return fail(ErrorCode::Corrupt, "the market's own agent no longer exists");
    return std::optional(OwnAgent{std::move(*agent), row->text(1)});
}

Result<void> add_own_agent(db::Transaction& transaction, const OwnAgent& own) {
    A2H_ASSIGN_OR_RETURN(const auto agent, add_agent(transaction, own.agent));
    static constexpr std::string_view kSql =
        "insert into own_agent (singleton, agent_id, secret_key) values (1, $1, $2)";
    return transaction.statement(kSql).run(own.agent.agent_id, own.secret_key);
}

Result<bool> take_relay_lease(db::Transaction& transaction, std::string_view holder,
                              UnixMs now_ms) {
    static constexpr std::string_view kTake =
        "insert into relay_lease (singleton, holder, until_ms) values (1, $1, $2)"
        " on conflict (singleton) do update set holder = excluded.holder,"
        " until_ms = excluded.until_ms where relay_lease.holder = excluded.holder"
        " or relay_lease.until_ms <= $3";
    // A longer lease comes from before the clock was set back; its holder keeps it for as long as a
    // new one would last.
    static constexpr std::string_view kShorten =
        "update relay_lease set until_ms = $1 where until_ms > $1";
    const UnixMs until_ms = now_ms + std::chrono::milliseconds(kRelayLease).count();
    A2H_TRY(transaction.statement(kShorten).run(until_ms));
    return transaction.statement(kTake).changes_a_row(holder, until_ms, now_ms);
}

Result<void> release_relay_lease(db::Transaction& transaction, std::string_view holder) {
    return transaction.statement("delete from relay_lease where holder = $1").run(holder);
}

}  // namespace a2h::market::store
