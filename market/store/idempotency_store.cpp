#include "market/store/idempotency_store.h"

namespace a2h::market::store {
namespace {

constexpr auto kAnswer =
    sql::table<KeptAnswer>("idempotency_key", A2H_COLUMNS(KeptAnswer, request_hash, answer_json));

UnixMs oldest_kept(UnixMs now_ms) {
    return now_ms - std::chrono::milliseconds(kIdempotencyKeptFor).count();
}

}  // namespace

Result<std::optional<KeptAnswer>> find_answer(db::Transaction& transaction,
                                              std::string_view agent_id, std::string_view key,
                                              UnixMs now_ms) {
    static const std::string kSql =
        kAnswer.select("where agent_id = $1 and key = $2 and created_at_ms >= $3");
    return transaction.statement(kSql).first(kAnswer, agent_id, key, oldest_kept(now_ms));
}

Result<void> keep_answer(db::Transaction& transaction, std::string_view agent_id,
                         std::string_view key, const KeptAnswer& answer, UnixMs now_ms) {
    // An old row of the same key that was not removed yet is replaced.
    static const std::string kSql = kAnswer.insert(
        "on conflict (agent_id, key) do update set " + kAnswer.excluded() +
            ", created_at_ms = excluded.created_at_ms where idempotency_key.created_at_ms < $6",
        "agent_id, key, created_at_ms");
    A2H_ASSIGN_OR_RETURN(const bool kept,
                         transaction.statement(kSql).puts_a_row(kAnswer, answer, agent_id, key,
                                                                now_ms, oldest_kept(now_ms)));
    if (!kept) {
        return fail(ErrorCode::Conflict,
                    "another request with this Idempotency-Key was carried out first");
    }
    return {};
}

Result<std::int64_t> forget_old_answers(db::Transaction& transaction, UnixMs now_ms) {
    return transaction.execute("delete from idempotency_key where created_at_ms < $1",
                               {oldest_kept(now_ms)});
}

}  // namespace a2h::market::store
