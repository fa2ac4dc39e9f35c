#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/clock.h"
#include "core/base/progress.h"
#include "core/base/result.h"

namespace a2h::store {

class Statement;

/// One SQLite connection with its prepared statements.
///
/// WAL, `synchronous=FULL`, `foreign_keys=ON`, all set in one function. SQLiteCpp's exceptions end
/// in this folder: every function here answers with a `Result`.
/// Thread: one thread at a time; the write connection belongs to `Writer`.
class Database {
  public:
    enum class Mode { ReadWrite, ReadOnly };

    /// Opens or creates the database at `path`. ReadWrite also migrates it, after a verified
    /// backup `<path>.before-<version>` when there is anything to migrate. ReadOnly needs a
    /// database that was opened ReadWrite before. Errors: Unsupported when a newer program wrote it
    /// (nothing is changed); Corrupt;
    ///         ResourceExhausted when the disk is full; Unavailable when it cannot be opened.
    /// `progress` is told of the backup and of each migration.
    static Result<std::unique_ptr<Database>> open(const std::filesystem::path& path, Mode mode,
                                                  Progress& progress = no_progress());

    ~Database();
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    /// The schema version this program writes.
    static int schema_version_newest();

    /// Runs `work` between SAVEPOINT and RELEASE; an error undoes just what `work` did.
    Result<void> savepoint(const std::function<Result<void>()>& work);

    Result<void> begin();   ///< BEGIN IMMEDIATE
    Result<void> commit();  ///< on failure the transaction is rolled back
    void rollback();
    /// False again when SQLite itself gave a transaction up, as it does on a full disk.
    bool in_transaction() const;

    /// Pages in the write-ahead log after the last commit; it starts again from its beginning
    /// after a complete checkpoint.
    int wal_pages() const;
    /// Writes the log back into the database as far as no reader needs it; waits for nobody. An
    /// error costs nothing but a longer log: the next one repeats the work.
    void checkpoint();

    /// For the stores of this folder only: the cached statement of `sql`, reset and unbound.
    Statement& statement(const char* sql);
    /// Of a text that lives as long as the program.
    Statement& statement(const std::string& sql) { return statement(sql.c_str()); }
    Statement& statement(std::string&& sql) = delete;

    struct Impl;
    Impl& impl() { return *impl_; }

  private:
    explicit Database(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace a2h::store
