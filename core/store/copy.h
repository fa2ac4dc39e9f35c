#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <stop_token>
#include <string>

#include "core/base/progress.h"
#include "core/base/result.h"

namespace a2h::store {

/// The content of a copy of the database.
struct CopyReport {
    int schema = 0;                            ///< its version
    std::map<std::string, std::int64_t> rows;  ///< number of rows, keyed by table
};

// Each call opens its own connections and blocks on the disk.
//
// Thread:  any.

/// Copies the database `source`, to which others may write at the same time, to `target`, a new or
/// empty file: VACUUM INTO of one snapshot, flushed, and then checked as by `check_database`,
/// including the number of rows of each table in that snapshot. Nobody waits for it; the
/// write-ahead log grows while it runs.
///
/// Errors:  ResourceExhausted if the disk is full; Timeout if `stop` was requested; Unavailable if
///          it cannot be read or written, or is written to so often that no snapshot could be held;
///          Corrupt. `target` then contains what was written so far.
Result<CopyReport> copy_database(const std::filesystem::path& source,
                                 const std::filesystem::path& target, Progress& progress,
                                 std::stop_token stop);

/// Checks that `file`, to which nobody writes, is a complete database of ours, and returns its
/// content: integrity_check, foreign_key_check, schema.
///
/// Errors:  Corrupt naming the problem; Unsupported if a newer program wrote it; Timeout if `stop`
///          was requested; Unavailable.
Result<CopyReport> check_database(const std::filesystem::path& file, Progress& progress,
                                  std::stop_token stop = {});

}  // namespace a2h::store
