#include "core/store/migrate.h"

#include <SQLiteCpp/Backup.h>
#include <SQLiteCpp/SQLiteCpp.h>
#include <sqlite3.h>

#include <optional>
#include <string>

#include "core/base/clock.h"
#include "core/store/statement.h"
#include "embedded/migrations.h"

namespace a2h::store {
namespace {

constexpr int kCopiedPages = 1'024;

constexpr const char* kCreateSchemaMigration =
    "create table if not exists schema_migration ("
    "version integer primary key, name text not null, applied_at_ms integer not null) strict";

Result<void> check_integrity(SQLite::Database& database) {
    SQLite::Statement check(database, "pragma integrity_check(1)");
    check.executeStep();
    const std::string answer = check.getColumn(0).getString();
    if (answer != "ok") return fail(ErrorCode::Corrupt, "the backup is damaged: " + answer);
    return {};
}

/// Copies to a temporary name first, so a file with the final name is always complete.
Result<void> back_up(SQLite::Database& database, const std::filesystem::path& target,
                     Progress& progress) {
    const std::filesystem::path partial = target.string() + ".partial";
    std::filesystem::remove(partial);
    {
        SQLite::Database copy(partial.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
        SQLite::Backup backup(copy, database);
        while (backup.executeStep(kCopiedPages) == SQLite::OK) {
            const auto total = static_cast<std::uint64_t>(backup.getTotalPageCount());
            const auto left = static_cast<std::uint64_t>(backup.getRemainingPageCount());
            progress.show("progress.save_before_migration", total - left, total);
        }
        A2H_TRY(check_integrity(copy));
    }
    std::filesystem::permissions(
        partial, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    std::filesystem::rename(partial, target);
    return {};
}

/// Begins a transaction unless there is one; its changes are undone unless `commit` is called.
class OwnTransaction {
  public:
    explicit OwnTransaction(SQLite::Database& database) {
        if (sqlite3_get_autocommit(database.getHandle()) != 0)
            own_.emplace(database, SQLite::TransactionBehavior::IMMEDIATE);
    }
    void commit() {
        if (own_) own_->commit();
    }

  private:
    std::optional<SQLite::Transaction> own_;
};

void apply(SQLite::Database& database, const Migration& migration) {
    OwnTransaction transaction(database);
    database.exec(kCreateSchemaMigration);
    database.exec(migration.sql);
    SQLite::Statement row(database, "insert into schema_migration values (?, ?, ?)");
    row.bind(1, migration.version);
    row.bind(2, migration.name);
    row.bind(3, SystemClock().now_ms());
    row.exec();
    transaction.commit();
}

class Target final : public sql::MigrationTarget {
  public:
    Target(SQLite::Database& database, const std::filesystem::path& path, Progress& progress)
        : database_(database), path_(path), progress_(progress) {}

    Result<int> version() override { return schema_version(database_); }
    std::string copy_before(int version) const override {
        return path_.string() + ".before-" + std::to_string(version);
    }
    Result<void> back_up(const std::string& copy) override {
        return store::back_up(database_, copy, progress_);
    }
    Result<void> apply(const Migration& migration) override {
        store::apply(database_, migration);
        return {};
    }

  private:
    SQLite::Database& database_;
    const std::filesystem::path& path_;
    Progress& progress_;
};

}  // namespace

std::vector<Migration> embedded_migrations() {
    return sql::migrations_of(embedded::migrations_names(), embedded::migrations);
}

Result<int> schema_version(SQLite::Database& database) try {
    if (!database.tableExists("schema_migration")) {
        const int tables = database.execAndGet("select count(*) from sqlite_schema").getInt();
        if (tables != 0) return fail(ErrorCode::Corrupt, "this is not a database of a2hd");
        return 0;
    }
    return database.execAndGet(std::string(sql::kNewestVersion)).getInt();
} catch (const SQLite::Exception& exception) {
    return fail(sqlite_error(database.getHandle(), exception.getErrorCode(), "reading the schema"));
}

Result<void> migrate(SQLite::Database& database, const std::filesystem::path& path,
                     const std::vector<Migration>& migrations, Progress& progress) try {
    Target target(database, path, progress);
    A2H_ASSIGN_OR_RETURN(const int present, target.version());
    if (present > 0) return sql::migrate(target, migrations, path.string(), progress);
    // The whole schema of a new database is one transaction, so that it costs one flush of the
    // disk.
    OwnTransaction transaction(database);
    A2H_TRY(sql::migrate(target, migrations, path.string(), progress));
    transaction.commit();
    return {};
} catch (const SQLite::Exception& exception) {
    return fail(
        sqlite_error(database.getHandle(), exception.getErrorCode(), "migrating " + path.string()));
} catch (const std::filesystem::filesystem_error& error) {
    return fail(ErrorCode::Unavailable, std::string("migrating: ") + error.what());
}

}  // namespace a2h::store
