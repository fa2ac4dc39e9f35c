#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <thread>

#include "core/base/clock.h"
#include "core/base/poster.h"
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/control/home.h"
#include "daemon/backup/export.h"

namespace a2h::backup {

/// The description inside a backup folder, `kManifestName`: format, program, schema, time, agents,
/// rows of each table, SHA-256 of each file.
///
/// Source:  docs/operations.md, "Backup".
inline constexpr const char* kManifestName = "manifest.json";
inline constexpr const char* kManifestFormat = "a2h-backup";
inline constexpr int kManifestVersion = 1;

struct BackupReport {
    std::filesystem::path path;
    bool has_identities = true;  ///< false: only the database
    int schema = 0;
    std::int64_t rows = 0;
    std::uint64_t bytes = 0;
};

/// The target of a backup that was requested with `wanted`. If `wanted` is empty, this is a new
/// folder in the home's `backups`; if it is a folder, a new folder in it; otherwise `wanted`
/// itself, a single file if it ends in `.db`.
///
/// Errors:  Conflict if the target exists; InvalidArgument for a relative path.
Result<std::filesystem::path> backup_target(const control::Home& home,
                                            const std::filesystem::path& wanted, UnixMs now_ms);

/// Writes the backup under another name, checks and flushes it, and renames it to `target`, so that
/// a backup with its final name is always complete. The database is copied while others write
/// (core/store/copy.h); identities, human.json, config.toml, rules.toml and trades/ are copied
/// beside it. Folders have mode 0700, files 0600.
///
/// Errors:  those of `store::copy_database` and of the disk; nothing is left then.
/// Thread:  any; blocks.
Result<BackupReport> make_backup(const control::Home& home, const std::filesystem::path& target,
                                 UnixMs now_ms, Progress& progress, std::stop_token stop);

/// The target of an export, as in `backup_target`, except that it must be named.
Result<std::filesystem::path> export_target(const std::filesystem::path& wanted, UnixMs now_ms);

/// Backups and exports of a running a2hd, one at a time, on a thread of its own.
///
/// Thread:  the loop.
class Backups {
  public:
    using Done = std::function<void(Result<BackupReport>)>;

    /// `poster` and `clock` must outlive it.
    Backups(control::Home home, const Clock& clock, Poster& poster);
    /// Cancels a backup in progress.
    ~Backups();
    Backups(const Backups&) = delete;
    Backups& operator=(const Backups&) = delete;

    /// `done` runs on the loop.
    ///
    /// Errors:  also Conflict if a backup is already in progress.
    void start(const std::filesystem::path& wanted, Done done);
    void start_export(const std::filesystem::path& wanted, bool with_secrets,
                      std::function<void(Result<ExportReport>)> done);

  private:
    template <typename Report>
    void run(std::function<Result<Report>(Progress&, UnixMs, std::stop_token)> job,
             std::function<void(Result<Report>)> done);

    const control::Home home_;
    const Clock& clock_;
    Poster& poster_;
    bool under_way_ = false;
    std::jthread thread_;
};

}  // namespace a2h::backup
