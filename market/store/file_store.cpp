#include "market/store/file_store.h"

namespace a2h::market::store {

Result<void> add_file(db::Transaction& transaction, const StoredFile& file) {
    static constexpr std::string_view kInsert =
        "insert into file (file_id, agent_id, upload_type, file_name, extension, size_bytes,"
        " created_at_ms, expires_at_ms) values ($1, $2, $3, $4, $5, $6, $7, $8)"
        " on conflict (file_id) do nothing";
    A2H_ASSIGN_OR_RETURN(
        const auto added,
        transaction.execute(
            kInsert, {file.file_id, file.agent_id, file.upload_type, file.file_name, file.extension,
                      file.size_bytes, file.created_at_ms,
                      file.expires_at_ms ? db::Value(*file.expires_at_ms) : db::Value(nullptr)}));
    if (added == 0) return fail(ErrorCode::Conflict, "this file was uploaded already");
    return {};
}

Result<std::optional<StoredFile>> find_file(db::Transaction& transaction,
                                            std::string_view file_id) {
    static constexpr std::string_view kSelect =
        "select file_id, agent_id, upload_type, file_name, extension, size_bytes, created_at_ms,"
        " expires_at_ms from file where file_id = $1";
    A2H_ASSIGN_OR_RETURN(const auto row, transaction.query_one(kSelect, {std::string(file_id)}));
    if (!row) return std::optional<StoredFile>();
    const db::Row& found = *row;
    return std::optional(StoredFile{.file_id = found.text(0),
                                    .agent_id = found.text(1),
                                    .upload_type = found.text(2),
                                    .file_name = found.text(3),
                                    .extension = found.text(4),
                                    .size_bytes = found.integer(5),
                                    .created_at_ms = found.integer(6),
                                    .expires_at_ms = found.optional_integer(7)});
}

Result<std::int64_t> stored_bytes(db::Transaction& transaction, std::string_view agent_id) {
    static constexpr std::string_view kSum =
        "select cast(coalesce(sum(size_bytes), 0) as bigint) from file where agent_id = $1";
    A2H_ASSIGN_OR_RETURN(const auto row, transaction.query_one(kSum, {std::string(agent_id)}));
    return row ? (*row).integer(0) : 0;
}

Result<std::vector<std::string>> expired_files(db::Transaction& transaction, UnixMs now_ms,
                                               int limit) {
    static constexpr std::string_view kSelect =
        "select file_id from file where expires_at_ms <= $1 order by expires_at_ms limit $2";
    A2H_ASSIGN_OR_RETURN(const auto rows,
                         transaction.query(kSelect, {now_ms, std::int64_t{limit}}));
    std::vector<std::string> ids;
    for (const db::Row& row : rows)
        ids.push_back(row.text(0));
    return ids;
}

Result<void> delete_file(db::Transaction& transaction, std::string_view file_id) {
    A2H_TRY(transaction.execute("delete from file where file_id = $1", {std::string(file_id)}));
    return {};
}

}  // namespace a2h::market::store
