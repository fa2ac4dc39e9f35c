#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>

#include "core/base/clock.h"
#include "core/base/poster.h"
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/control/home.h"
#include "daemon/backup/export.h"

namespace a2h::backup {

/// What a backup folder says of itself, in `kManifestName`: format, program, schema, time, agents,
/// rows of each table, SHA-256 of each file. Source: docs/operations.md, "Backup".
inline constexpr const char* kManifestName = "manifest.json";
inline constexpr const char* kManifestFormat = "a2h-backup";
inline constexpr int kManifestVersion = 1;

struct BackupReport {
    std::filesystem::path path;
    bool has_identities = true;  ///< false: the database alone
    int schema = 0;
    std::int64_t rows = 0;
    std::uint64_t bytes = 0;
};

/// Where a backup goes that is asked for with `wanted`: empty, a new folder in the home's
/// `backups`; a folder, a new one in it; else `wanted` itself, a single file when it ends in `.db`.
/// Errors: Conflict when that is there already; InvalidArgument for a relative path.
Result<std::filesystem::path> backup_target(const control::Home& home,
                                            const std::filesystem::path& wanted, UnixMs now_ms);

/// Writes `target` under another name, checks it, flushes it and renames it: what has the name is
/// whole. The database is copied while others write, see core/store/copy.h; identities,
/// human.json, config.toml, rules.toml and trades/ lie beside it. Folders are 0700, files 0600.
/// Errors: those of `store::copy_database` and of the disk; nothing is left then. Thread: any;
/// blocks.
Result<BackupReport> make_backup(const control::Home& home, const std::filesystem::path& target,
                                 UnixMs now_ms, Progress& progress, std::stop_token stop);

/// Where an export goes: as `backup_target`, but there is no place for it without a name.
Result<std::filesystem::path> export_target(const std::filesystem::path& wanted, UnixMs now_ms);

/// Backups and exports of a running a2hd: one at a time, on a thread of its own. Thread: the loop.
class Backups {
  public:
    using Done = std::function<void(Result<BackupReport>)>;

    /// `poster` and `clock` must outlive it.
    Backups(control::Home home, const Clock& clock, Poster& poster);
    /// Gives up what is under way.
    ~Backups();
    Backups(const Backups&) = delete;
    Backups& operator=(const Backups&) = delete;

    /// `done` runs on the loop. Errors: also Conflict when one is under way.
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
