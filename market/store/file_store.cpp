#include "market/store/file_store.h"

namespace a2h::market::store {
namespace {

constexpr auto kFile = sql::table<StoredFile>(
    "file", A2H_COLUMNS(StoredFile, file_id, agent_id, upload_type, file_name, extension,
                        size_bytes, created_at_ms, expires_at_ms));

}  // namespace

Result<void> add_file(db::Transaction& transaction, const StoredFile& file) {
    static const std::string kSql = kFile.insert("on conflict (file_id) do nothing");
    A2H_ASSIGN_OR_RETURN(const bool added, transaction.statement(kSql).puts_a_row(kFile, file));
    if (!added) return fail(ErrorCode::Conflict, "this file was uploaded already");
    return {};
}

Result<std::optional<StoredFile>> find_file(db::Transaction& transaction,
                                            std::string_view file_id) {
    static const std::string kSql = kFile.select("where file_id = $1");
    return transaction.statement(kSql).first(kFile, file_id);
}

Result<std::int64_t> stored_bytes(db::Transaction& transaction, std::string_view agent_id) {
    static constexpr std::string_view kSum =
        "select cast(coalesce(sum(size_bytes), 0) as bigint) from file where agent_id = $1";
    return transaction.statement(kSum).number(agent_id);
}

Result<std::vector<std::string>> expired_files(db::Transaction& transaction, UnixMs now_ms,
                                               int limit) {
    static constexpr std::string_view kSelect =
        "select file_id from file where expires_at_ms <= $1 order by expires_at_ms limit $2";
    return transaction.statement(kSelect).all(sql::kFirstText, now_ms, limit);
}

Result<void> delete_file(db::Transaction& transaction, std::string_view file_id) {
    return transaction.statement("delete from file where file_id = $1").run(file_id);
}

}  // namespace a2h::market::store
