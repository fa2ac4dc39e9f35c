#include "core/store/deed_store.h"

#include "core/store/statement.h"

namespace a2h::store {

Result<void> put_deed(Database& db, const StoredDeed& deed, const std::string& replaced) {
    static constexpr const char* kInsert =
        "insert into deed (channel_id, realisation, subject, approval_id, at_ms) "
        "values (?, ?, ?, ?, ?) on conflict do nothing";
    static constexpr const char* kReplace =
        "update deed set approval_id = ?, at_ms = ? "
        "where channel_id = ? and realisation = ? and subject = ? and approval_id = ?";
    Statement& put = db.statement(replaced.empty() ? kInsert : kReplace);
    if (replaced.empty()) {
        A2H_TRY(
            put.run(deed.channel_id, deed.realisation, deed.subject, deed.approval_id, deed.at_ms));
    } else {
        A2H_TRY(put.run(deed.approval_id, deed.at_ms, deed.channel_id, deed.realisation,
                        deed.subject, replaced));
    }
    if (put.changes() == 1) return {};
    return fail(ErrorCode::Conflict, "it was asked at the same time");
}

Result<std::optional<StoredDeed>> get_deed(Database& db, const StoredDeed& deed) {
    static constexpr const char* kSql =
        "select channel_id, realisation, subject, approval_id, at_ms from deed "
        "where channel_id = ? and realisation = ? and subject = ?";
    return db.statement(kSql).first(
        [](Row& row) {
            return StoredDeed{row.text(0), row.text(1), row.text(2), row.text(3), row.integer(4)};
        },
        deed.channel_id, deed.realisation, deed.subject);
}

}  // namespace a2h::store
