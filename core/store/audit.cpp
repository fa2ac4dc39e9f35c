#include <sodium.h>

#include <array>

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

AuditRow read_audit(Row& row) {
    return AuditRow{row.integer(0), row.text(1), row.text(2),   row.text(3),
                    row.text(4),    row.text(5), row.integer(6)};
}

}  // namespace

Result<void> append_audit(Database& db, std::string_view approval_id, std::string_view what,
                          std::string_view detail_json, UnixMs now_ms) {
    static constexpr const char* kLast = "select hash from audit order by id desc limit 1";
    static constexpr const char* kInsert =
        "insert into audit (approval_id, what, detail_json, previous_hash, hash, created_at_ms) "
        "values (?, ?, ?, ?, ?, ?)";
    auto last = db.statement(kLast).first([](Row& row) { return row.text(0); });
    if (!last) return fail(std::move(last).error());
    AuditRow row;
    row.approval_id = approval_id;
    row.what = what;
    row.detail_json = detail_json;
    row.previous_hash = last->value_or("");
    row.created_at_ms = now_ms;
    row.hash = sha256_hex(linked_text(row));
    return db.statement(kInsert).run(OrNull{approval_id}, row.what, row.detail_json,
                                     row.previous_hash, row.hash, row.created_at_ms);
}

Result<std::vector<AuditRow>> audit_rows(Database& db, std::string_view approval_id) {
    static constexpr const char* kAll =
        "select id, coalesce(approval_id, ''), what, detail_json, previous_hash, hash, "
        "created_at_ms from audit order by id";
    static constexpr const char* kOfApproval =
        "select id, coalesce(approval_id, ''), what, detail_json, previous_hash, hash, "
        "created_at_ms from audit where approval_id = ? order by id";
    if (approval_id.empty()) return db.statement(kAll).all(read_audit);
    return db.statement(kOfApproval).all(read_audit, approval_id);
}

Result<std::vector<AuditRow>> audit_rows_after(Database& db, std::int64_t after_id, int limit) {
    static constexpr const char* kSql =
        "select id, coalesce(approval_id, ''), what, detail_json, previous_hash, hash, "
        "created_at_ms from audit where id > ? order by id limit ?";
    return db.statement(kSql).all(read_audit, after_id, limit);
}

}  // namespace a2h::store
