#pragma once

#include <cstdint>
#include <filesystem>
#include <stop_token>

#include "core/base/clock.h"
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/control/home.h"

namespace a2h::backup {

struct ExportReport {
    std::filesystem::path path;
    std::int64_t rows = 0;
    int tables = 0;
    bool has_secrets = false;
};

/// Writes everything in the home into the new folder `target`, in formats that can be read without
/// A2H: a JSON Lines file for each table, identities as JSON Lines, rules unchanged, and a
/// README.md in English and Chinese that describes the files. The export shows one moment of the
/// database, while others may go on writing. Keys, PIN hashes and the configuration (which holds
/// tokens of channels) are left out unless `with_secrets`. The folder has mode 0700, and gets its
/// name only when it is complete.
///
/// Errors:  Conflict if `target` exists; those of the disk; Timeout if `stop` was requested.
///          Nothing is left then.
/// Thread:  any; blocks.
Result<ExportReport> export_home(const control::Home& home, const std::filesystem::path& target,
                                 bool with_secrets, UnixMs now_ms, Progress& progress,
                                 std::stop_token stop);

}  // namespace a2h::backup
