#pragma once

// Inside core/store only.

#include <filesystem>
#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/sql/migration.h"

namespace SQLite {
class Database;
}

namespace a2h::store {

using sql::Migration;

/// The migrations that are embedded in the program, sorted by version.
std::vector<Migration> embedded_migrations();

/// The version of the schema in `database`; 0 if it is empty.
///
/// Errors:  Corrupt if it belongs to another program, or is no database.
Result<int> schema_version(SQLite::Database& database);

/// Updates `database`, whose file is `path`, to the last of `migrations`: each in one transaction
/// together with its row in schema_migration, all in one if the database is empty. Before the first
/// change of an existing schema, a copy is written to `<path>.before-<version>` and checked.
///
/// Errors:  Unsupported if the schema is newer than the last migration (nothing is changed); those
///          of the disk.
Result<void> migrate(SQLite::Database& database, const std::filesystem::path& path,
                     const std::vector<Migration>& migrations, Progress& progress = no_progress());

}  // namespace a2h::store
