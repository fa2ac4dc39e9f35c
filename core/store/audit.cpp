#include <sodium.h>

#include <array>

#include "core/domain/audit.h"
#include "core/store/approval_store.h"
#include "core/store/statement.h"

namespace a2h::store {
namespace {

std::string sha256_hex(std::string_view data) {
    std::array<unsigned char, crypto_hash_sha256_BYTES> digest{};
    crypto_hash_sha256(digest.data(), reinterpret_cast<const unsigned char*>(data.data()),
                       data.size());
    std::string hex(2 * digest.size() + 1, '\0');
    sodium_bin2hex(hex.data(), hex.size(), digest.data(), digest.size());
    hex.pop_back();
    return hex;
}

constexpr auto kAudit = sql::table<AuditRow>(
    "audit", A2H_COLUMNS(AuditRow, id, what, detail_json, previous_hash, hash, created_at_ms),
    sql::column("approval_id", &AuditRow::approval_id, sql::NullIfEmpty{}));

}  // namespace

Result<void> append_audit(Database& db, std::string_view approval_id, std::string_view what,
                          std::string_view detail_json, UnixMs now_ms) {
    static constexpr const char* kLast = "select hash from audit order by id desc limit 1";
    static constexpr auto kNew = sql::without<kAudit, &AuditRow::id>();
    static const std::string kInsert = kNew.insert();
    A2H_ASSIGN_OR_RETURN(const auto last, db.statement(kLast).first(sql::kFirstText));
    AuditRow row;
    row.approval_id = approval_id;
    row.what = what;
    row.detail_json = detail_json;
    row.previous_hash = last.value_or("");
    row.created_at_ms = now_ms;
    row.hash = sha256_hex(linked_text(row));
    return db.statement(kInsert).put(kNew, row);
}

Result<std::vector<AuditRow>> audit_rows(Database& db, std::string_view approval_id) {
    static const std::string kAll = kAudit.select("order by id");
    static const std::string kOfApproval = kAudit.select("where approval_id = ? order by id");
    if (approval_id.empty()) return db.statement(kAll).all(kAudit);
    return db.statement(kOfApproval).all(kAudit, approval_id);
}

Result<std::vector<AuditRow>> audit_of_mandate(Database& db, std::string_view mandate_id) {
    // The index is of these rows only, so the names are no parameters.
    static const std::string kSql = kAudit.select(
        "indexed by audit_mandate where what in ('" + std::string(audit::kMandateGiven) + "', '" +
        std::string(audit::kMandateShared) + "', '" + std::string(audit::kMandateRevoked) +
        "') and json_extract(detail_json, '$.mandate') = ? order by id");
    return db.statement(kSql).all(kAudit, mandate_id);
}

Result<std::vector<AuditRow>> audit_rows_after(Database& db, std::int64_t after_id, int limit) {
    static const std::string kSql = kAudit.select("where id > ? order by id limit ?");
    return db.statement(kSql).all(kAudit, after_id, limit);
}

}  // namespace a2h::store
