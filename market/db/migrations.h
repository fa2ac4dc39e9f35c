#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "market/db/database.h"

namespace a2h::market::db {

// The schema as numbered files in market/db/migrations, one text for both databases:
//   @int@     64-bit integer
//   @text@    text that compares by its bytes
//   @id@      primary key that the database counts up and never gives twice
//   @strict@  behind the closing parenthesis of a table
//   --@sqlite, --@postgresql, --@all: as whole lines, the lines that follow are for that one only
// An applied file is never edited, except where the result for both databases stays the same.

struct Migration {
    int version = 0;   ///< 1 for `0001_initial.sql`
    std::string name;  ///< the file's
    std::string sql;
};

/// What `text` of a migration file means in `dialect`.
std::string for_dialect(std::string_view text, Dialect dialect);

/// All of them, in the order in which they are applied.
std::vector<Migration> migrations(Dialect dialect);

/// Creates the table that keeps what was applied, if there is none.
std::string create_migration_table(Dialect dialect);

/// Unsupported when `present` is newer than this program knows.
Result<void> check_version(std::int64_t present, const std::vector<Migration>& known);

/// Applies those of `known` that are newer than `present`, each told to `progress` first.
Result<void> apply_newer(const std::vector<Migration>& known, std::int64_t present,
                         Progress& progress,
                         const std::function<Result<void>(const Migration&)>& apply);

inline constexpr std::string_view kNewestVersion =
    "select coalesce(max(version), 0) from schema_migration";
inline constexpr std::string_view kInsertMigration =
    "insert into schema_migration (version, name, applied_at_ms) values ($1, $2, $3)";

}  // namespace a2h::market::db
