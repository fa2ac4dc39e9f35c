#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/sql/migration.h"
#include "market/db/database.h"

namespace a2h::market::db {

// The schema as numbered files in market/db/migrations, one text for both databases:
//   @int@     64-bit integer
//   @text@    text that compares by its bytes
//   @id@      primary key that the database counts up and never gives twice
//   @strict@  behind the closing parenthesis of a table
//   --@sqlite, --@postgresql, --@all: as whole lines, the lines that follow are for that one only
// An applied file is never edited, except where the result for both databases stays the same.

using sql::Migration;

/// The text of a migration file in `dialect`.
std::string for_dialect(std::string_view text, Dialect dialect);

/// All migrations in order.
std::vector<Migration> migrations(Dialect dialect);

/// Creates the table of applied migrations, if it does not exist.
std::string create_migration_table(Dialect dialect);

inline constexpr std::string_view kInsertMigration =
    "insert into schema_migration (version, name, applied_at_ms) values ($1, $2, $3)";

}  // namespace a2h::market::db
