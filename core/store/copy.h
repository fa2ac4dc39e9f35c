#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <stop_token>
#include <string>

#include "core/base/progress.h"
#include "core/base/result.h"

namespace a2h::store {

/// What a copy of the database holds.
struct CopyReport {
    int schema = 0;                            ///< version
    std::map<std::string, std::int64_t> rows;  ///< by table
};

// Thread: any; each call opens connections of its own and blocks on the disk.

/// Copies the database `source`, which others may write meanwhile, to `target`, a new or empty
/// file: VACUUM INTO of one snapshot, flushed, then checked as by `check_database`, each table
/// against its rows in that very snapshot. Nobody waits for it; the write-ahead log grows as long
/// as it runs.
/// Errors: ResourceExhausted when the disk is full; Timeout when `stop` was requested; Unavailable
///         when it cannot be read or written, or is written to so often that no snapshot could be
///         held; Corrupt. `target` is then what was written so far.
Result<CopyReport> copy_database(const std::filesystem::path& source,
                                 const std::filesystem::path& target, Progress& progress,
                                 std::stop_token stop);

/// Whether `file`, which nobody writes, is a whole database of ours, and what it holds:
/// integrity_check, foreign_key_check, schema.
/// Errors: Corrupt naming what is wrong; Unsupported when a newer program wrote it; Timeout when
///         `stop` was requested; Unavailable.
Result<CopyReport> check_database(const std::filesystem::path& file, Progress& progress,
                                  std::stop_token stop = {});

}  // namespace a2h::store
