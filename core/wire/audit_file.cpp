#include "core/wire/audit_file.h"

#include <nlohmann/json.hpp>

#include "core/wire/canonical.h"
#include "core/wire/crypto.h"
#include "core/wire/json_text.h"
#include "core/wire/lenient_fields.h"

namespace a2h::wire {
namespace {

using nlohmann::json;

constexpr JsonLimits kLineLimits{.bytes_max = 1024 * 1024, .depth_max = 2};

Unexpected broken(std::int64_t row, std::string_view why) {
    return fail(ErrorCode::Corrupt, "row " + std::to_string(row) + ": " + std::string(why));
}

}  // namespace

template <typename Io>
void fields(Io& io, Like<AuditRow> auto& row) {
    io.integer("row", row.id);
    io.text("approval_id", row.approval_id, kWholeText);
    io.text("what", row.what, kWholeText);
    io.text("detail", row.detail_json, kWholeText);
    io.text("previous_hash", row.previous_hash, kWholeText);
    io.text("hash", row.hash, kWholeText);
    io.integer("at_ms", row.created_at_ms);
}

std::string audit_line(const AuditRow& row) {
    return canonical_json(written(row));
}

std::string audit_end_line(std::int64_t row_count, std::string_view last_hash) {
    return canonical_json({{"rows", row_count}, {"last_hash", last_hash}});
}

Result<void> AuditCheck::take(std::string_view line) {
    if (ended_) return fail(ErrorCode::Corrupt, "the file continues after its last line");
    if (line == audit_end_line(row_count_, last_hash_)) {
        ended_ = true;
        return {};
    }
    const auto object = parse_json(line, kLineLimits);
    if (!object)
        return broken(row_count_ + 1, "the line cannot be read: " + object.error().message);
    return take_row(line, read_fields<AuditRow>(*object));
}

Result<void> AuditCheck::take_row(std::string_view line, const AuditRow& row) {
    const std::int64_t number = row_count_ + 1;
    if (sha256_hex(linked_text(row)) != row.hash) {
        return broken(number, "its content does not belong to its hash");
    }
    if (row.previous_hash != last_hash_) {
        return broken(number, "it does not follow the row before it");
    }
    if (row.id != number || line != audit_line(row)) {
        return broken(number, "the line is not written as it was exported");
    }
    row_count_ = number;
    last_hash_ = row.hash;
    return {};
}

Result<std::int64_t> AuditCheck::finish() const {
    if (ended_) return row_count_;
    return fail(ErrorCode::Corrupt, "the file ends after row " + std::to_string(row_count_) +
                                        " without its last line: rows are missing");
}

}  // namespace a2h::wire
