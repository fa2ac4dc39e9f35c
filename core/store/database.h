#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "core/base/clock.h"
#include "core/base/progress.h"
#include "core/base/result.h"

namespace a2h::store {

class Statement;

/// One SQLite connection with its prepared statements.
///
/// The connection has WAL, `synchronous=FULL` and `foreign_keys=ON`, all set in one function.
/// SQLiteCpp's exceptions do not leave this folder: every function here returns a `Result`.
///
/// Errors:  those of the database, which headers name so: ResourceExhausted if the disk or the
///          memory is full; Unavailable for a lock or an error of the device; Conflict for a
///          violated constraint; Corrupt for a stored text that is no name of its enumeration.
/// Thread:  one at a time; the write connection belongs to `Writer`.
class Database {
  public:
    enum class Mode { ReadWrite, ReadOnly };

    /// Opens or creates the database at `path`. ReadWrite also migrates it, after a verified backup
    /// `<path>.before-<version>` if there is anything to migrate. ReadOnly needs a database that
    /// was opened with ReadWrite before. The backup and each migration are reported to `progress`.
    ///
    /// Errors:  Unsupported if a newer program wrote it (nothing is changed); Corrupt;
    ///          ResourceExhausted if the disk is full; Unavailable if it cannot be opened.
    static Result<std::unique_ptr<Database>> open(const std::filesystem::path& path, Mode mode,
                                                  Progress& progress = no_progress());

    ~Database();
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    /// The schema version this program writes.
    static int schema_version_newest();

    /// Runs `work` between SAVEPOINT and RELEASE; an error undoes only the changes of `work`.
    Result<void> savepoint(const std::function<Result<void>()>& work);

    Result<void> begin();   ///< BEGIN IMMEDIATE
    Result<void> commit();  ///< on failure the transaction is rolled back
    void rollback();
    /// Whether a transaction is open. False as well if SQLite itself rolled it back, as it does on
    /// a full disk.
    bool in_transaction() const;

    /// Pages in the write-ahead log after the last commit. The log starts again at its beginning
    /// after a complete checkpoint.
    int wal_pages() const;
    /// Writes the log back into the database as far as no reader needs it, without waiting. After
    /// an error the log is only longer, and the next checkpoint repeats the work.
    void checkpoint();

    /// Only for the stores of this folder: the cached statement of `sql`, reset and without bound
    /// values.
    Statement& statement(const char* sql);
    /// For a text that lives as long as the program.
    Statement& statement(const std::string& sql) { return statement(sql.c_str()); }
    Statement& statement(std::string&& sql) = delete;

    struct Impl;
    Impl& impl() { return *impl_; }

  private:
    explicit Database(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace a2h::store
