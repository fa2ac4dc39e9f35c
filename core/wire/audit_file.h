#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/domain/approval.h"

namespace a2h::wire {

// An exported audit: one line a row, oldest first, then one line that says where it ends.
// Source: docs/protocol.md, "Exported audit".

/// The line of `row`, without its LF.
std::string audit_line(const AuditRow& row);
/// The last line. `last_hash` is empty when there are no rows.
std::string audit_end_line(std::int64_t row_count, std::string_view last_hash);

/// Checks an exported audit line by line; needs nothing but the lines. Every byte counts: a row is
/// right only when its line is exactly what `audit_line` makes of it.
class AuditCheck {
  public:
    /// `line` without its LF. Errors: Corrupt, naming the row or the last line. After an error the
    /// check is over.
    Result<void> take(std::string_view line);
    /// How many rows there are. Errors: Corrupt when the last line is missing.
    Result<std::int64_t> finish() const;

    const std::string& last_hash() const { return last_hash_; }

  private:
    Result<void> take_row(std::string_view line, const AuditRow& row);

    std::int64_t row_count_ = 0;
    std::string last_hash_;
    bool ended_ = false;
};

}  // namespace a2h::wire
