#include "core/store/migrate.h"

#include <SQLiteCpp/Backup.h>
#include <SQLiteCpp/SQLiteCpp.h>

#include <charconv>
#include <chrono>
#include <string>
#include <system_error>

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

/// Copies into a temporary name first: a file of the final name is always whole.
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

void apply(SQLite::Database& database, const Migration& migration) {
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    database.exec(kCreateSchemaMigration);
    database.exec(std::string(migration.sql));
    SQLite::Statement row(database, "insert into schema_migration values (?, ?, ?)");
    row.bind(1, migration.version);
    row.bind(2, std::string(migration.name));
    row.bind(3, SystemClock().now_ms());
    row.exec();
    transaction.commit();
}

Result<void> apply_newer(SQLite::Database& database, const std::filesystem::path& path, int version,
                         const std::vector<Migration>& migrations, Progress& progress) {
    bool backed_up = version == 0;
    for (const Migration& migration : migrations) {
        if (migration.version <= version) continue;
        if (!backed_up) {
            const std::string copy = path.string() + ".before-" + std::to_string(migration.version);
            A2H_TRY(back_up(database, copy, progress));
            backed_up = true;
        }
        progress.show("progress.migrate", static_cast<std::uint64_t>(migration.version - 1),
                      migrations.size());
        apply(database, migration);
    }
    return {};
}

}  // namespace

std::vector<Migration> embedded_migrations() {
    std::vector<Migration> all;
    for (const std::string_view file : embedded::migrations_names()) {
        Migration migration{0, file.substr(0, file.rfind('.')), *embedded::migrations(file)};
        std::from_chars(file.data(), file.data() + file.find('_'), migration.version);
        A2H_CHECK(migration.version == static_cast<int>(all.size()) + 1);
        all.push_back(migration);
    }
    return all;
}

Result<int> schema_version(SQLite::Database& database) try {
    if (!database.tableExists("schema_migration")) {
        const int tables = database.execAndGet("select count(*) from sqlite_schema").getInt();
        if (tables != 0) return fail(ErrorCode::Corrupt, "this is not a database of a2hd");
        return 0;
    }
    return database.execAndGet("select coalesce(max(version), 0) from schema_migration").getInt();
} catch (const SQLite::Exception& exception) {
    return fail(sqlite_error(database.getHandle(), exception.getErrorCode(), "reading the schema"));
}

Result<void> migrate(SQLite::Database& database, const std::filesystem::path& path,
                     const std::vector<Migration>& migrations, Progress& progress) try {
    A2H_ASSIGN_OR_RETURN(const auto version, schema_version(database));
    const int newest = migrations.back().version;
    if (version > newest) {
        return fail(ErrorCode::Unsupported,
                    path.string() + " was written by a newer version of this program (schema " +
                        std::to_string(version) + ", this one knows " + std::to_string(newest) +
                        "); nothing was changed. Start the newer version, or restore the backup " +
                        path.string() + ".before-" + std::to_string(newest + 1));
    }
    return apply_newer(database, path, version, migrations, progress);
} catch (const SQLite::Exception& exception) {
    return fail(
        sqlite_error(database.getHandle(), exception.getErrorCode(), "migrating " + path.string()));
} catch (const std::filesystem::filesystem_error& error) {
    return fail(ErrorCode::Unavailable, std::string("migrating: ") + error.what());
}

}  // namespace a2h::store
