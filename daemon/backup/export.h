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

/// Writes everything that the home knows into the new folder `target`, in formats that need no
/// program of ours: a JSON Lines file a table, identities as JSON, rules as they are, and a
/// README.md in English and Chinese that says what is what. One moment of the database; others may
/// write meanwhile. Keys, PIN hashes and the configuration (which holds tokens of channels) are
/// left out unless `with_secrets`. The folder is 0700 and has its name only when it is whole.
/// Errors: Conflict when `target` exists; those of the disk; Timeout when `stop` was requested.
/// Nothing is left then. Thread: any; blocks.
Result<ExportReport> export_home(const control::Home& home, const std::filesystem::path& target,
                                 bool with_secrets, UnixMs now_ms, Progress& progress,
                                 std::stop_token stop);

}  // namespace a2h::backup
