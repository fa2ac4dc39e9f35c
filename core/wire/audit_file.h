#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/domain/approval.h"

namespace a2h::wire {

// An exported audit: one line for each row, oldest first, then a line that marks the end.
//
// Source:  docs/protocol.md, "Exported audit".

/// The line of `row` without its LF.
std::string audit_line(const AuditRow& row);
/// The last line. `last_hash` is empty if there are no rows.
std::string audit_end_line(std::int64_t row_count, std::string_view last_hash);

/// Verifies an exported audit line by line, using only the lines. Every byte counts: a row is valid
/// only if its line is exactly the result of `audit_line`.
class AuditCheck {
  public:
    /// `line` without its LF. After an error the verification is over.
    ///
    /// Errors:  Corrupt, naming the row or the last line.
    Result<void> take(std::string_view line);
    /// The number of rows.
    ///
    /// Errors:  Corrupt if the last line is missing.
    Result<std::int64_t> finish() const;

    const std::string& last_hash() const { return last_hash_; }

  private:
    Result<void> take_row(std::string_view line, const AuditRow& row);

    std::int64_t row_count_ = 0;
    std::string last_hash_;
    bool ended_ = false;
};

}  // namespace a2h::wire
