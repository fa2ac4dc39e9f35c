#include "core/store/deed_store.h"

#include "core/store/statement.h"

namespace a2h::store {
namespace {

constexpr auto kDeed = sql::table<StoredDeed>(
    "deed", A2H_COLUMNS(StoredDeed, negotiation_id, realisation, subject, approval_id, at_ms));

}  // namespace

Result<void> put_deed(Database& db, const StoredDeed& deed, const std::string& replaced) {
    static constexpr auto kChange =
        sql::only<kDeed, &StoredDeed::approval_id, &StoredDeed::at_ms>();
    static const std::string kInsert = kDeed.insert("on conflict do nothing");
    static const std::string kReplace = kChange.update(
        "where negotiation_id = ? and realisation = ? and subject = ? and approval_id = ?");
    A2H_ASSIGN_OR_RETURN(const bool is_put, replaced.empty()
                                                ? db.statement(kInsert).puts_a_row(kDeed, deed)
                                                : db.statement(kReplace).puts_a_row(
                                                      kChange, deed, deed.negotiation_id,
                                                      deed.realisation, deed.subject, replaced));
    return is_put ? Result<void>()
                  : fail(ErrorCode::Conflict, "another request for this was made at the same time");
}

Result<std::optional<StoredDeed>> get_deed(Database& db, const StoredDeed& deed) {
    static const std::string kSql =
        kDeed.select("where negotiation_id = ? and realisation = ? and subject = ?");
    return db.statement(kSql).first(kDeed, deed.negotiation_id, deed.realisation, deed.subject);
}

}  // namespace a2h::store
