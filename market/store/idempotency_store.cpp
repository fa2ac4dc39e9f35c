#include "market/store/idempotency_store.h"

namespace a2h::market::store {
namespace {

UnixMs oldest_kept(UnixMs now_ms) {
    return now_ms - std::chrono::milliseconds(kIdempotencyKeptFor).count();
}

}  // namespace

Result<std::optional<KeptAnswer>> find_answer(db::Transaction& transaction,
                                              std::string_view agent_id, std::string_view key,
                                              UnixMs now_ms) {
    static constexpr std::string_view kFind =
        "select request_hash, answer_json from idempotency_key"
        " where agent_id = $1 and key = $2 and created_at_ms >= $3";
    A2H_ASSIGN_OR_RETURN(
        const auto row, transaction.query_one(
                            kFind, {std::string(agent_id), std::string(key), oldest_kept(now_ms)}));
    if (!row) return std::optional<KeptAnswer>();
    return std::optional(KeptAnswer{row->text(0), row->text(1)});
}

Result<void> keep_answer(db::Transaction& transaction, std::string_view agent_id,
                         std::string_view key, const KeptAnswer& answer, UnixMs now_ms) {
    // An old row of the same key, which nobody has swept yet, gives its place up.
    static constexpr std::string_view kKeep =
        "insert into idempotency_key (agent_id, key, request_hash, answer_json, created_at_ms)"
        " values ($1, $2, $3, $4, $5) on conflict (agent_id, key) do update set"
        " request_hash = excluded.request_hash, answer_json = excluded.answer_json,"
        " created_at_ms = excluded.created_at_ms where idempotency_key.created_at_ms < $6";
    A2H_ASSIGN_OR_RETURN(
        const auto kept,
        transaction.execute(kKeep, {std::string(agent_id), std::string(key), answer.request_hash,
                                    answer.answer_json, now_ms, oldest_kept(now_ms)}));
    if (kept == 0) {
        return fail(ErrorCode::Conflict, "another request with this Idempotency-Key was faster");
    }
    return {};
}

Result<std::int64_t> forget_old_answers(db::Transaction& transaction, UnixMs now_ms) {
    return transaction.execute("delete from idempotency_key where created_at_ms < $1",
                               {oldest_kept(now_ms)});
}

}  // namespace a2h::market::store
