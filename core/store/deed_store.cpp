#include "core/store/deed_store.h"

#include "core/store/statement.h"

namespace a2h::store {

Result<bool> claim_deed(Database& db, const StoredDeed& deed) {
    static constexpr const char* kSql =
        "insert into deed (channel_id, realisation, subject, result_json, at_ms) "
        "values (?, ?, ?, '', ?) on conflict do nothing";
    Statement& insert = db.statement(kSql);
    A2H_TRY(insert.run(deed.channel_id, deed.realisation, deed.subject, deed.at_ms));
    return insert.changes() == 1;
}

Result<void> settle_deed(Database& db, const StoredDeed& deed) {
    static constexpr const char* kSql =
        "update deed set result_json = ? where channel_id = ? and realisation = ? and subject = ?";
    return db.statement(kSql).run(deed.result_json, deed.channel_id, deed.realisation,
                                  deed.subject);
}

Result<void> release_deed(Database& db, const StoredDeed& deed) {
    static constexpr const char* kSql =
        "delete from deed where channel_id = ? and realisation = ? and subject = ?";
    return db.statement(kSql).run(deed.channel_id, deed.realisation, deed.subject);
}

Result<std::optional<StoredDeed>> get_deed(Database& db, const StoredDeed& deed) {
    static constexpr const char* kSql =
        "select channel_id, realisation, subject, result_json, at_ms from deed "
        "where channel_id = ? and realisation = ? and subject = ?";
    return db.statement(kSql).first(
        [](Row& row) {
            return StoredDeed{row.text(0), row.text(1), row.text(2), row.text(3), row.integer(4)};
        },
        deed.channel_id, deed.realisation, deed.subject);
}

}  // namespace a2h::store
