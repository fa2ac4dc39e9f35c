#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"

namespace a2h::sql {

/// One numbered file of a folder of migrations. An applied file is never edited.
struct Migration {
    int version = 0;   ///< 1 for `0001_initial.sql`
    std::string name;  ///< the file's name without its extension
    std::string sql;
};

/// The embedded files, by version; `read` answers the text of one.
std::vector<Migration> migrations_of(
    const std::vector<std::string_view>& file_names,
    const std::function<std::optional<std::string_view>(std::string_view)>& read);

/// The versions that were applied are rows of this table.
inline constexpr std::string_view kNewestVersion =
    "select coalesce(max(version), 0) from schema_migration";

/// A database whose schema is to be brought up to date.
class MigrationTarget {
  public:
    virtual ~MigrationTarget() = default;

    /// 0 when the database is empty. Errors: Corrupt when it is some other program's.
    virtual Result<int> version() = 0;
    /// The file that keeps the database as it was before `version`; empty when there is none.
    virtual std::string copy_before(int version) const = 0;
    /// Writes that file.
    virtual Result<void> back_up(const std::string& copy) = 0;
    /// Runs `migration` in one transaction with its row in schema_migration.
    virtual Result<void> apply(const Migration& migration) = 0;
};

/// Brings `target` to the last of `known`. A copy of an existing schema is kept before the first
/// change; `progress` is told of each migration.
/// Errors: Unsupported when the schema is newer than the last migration (nothing is changed);
///         those of `target`.
Result<void> migrate(MigrationTarget& target, const std::vector<Migration>& known,
                     std::string_view database_name, Progress& progress);

}  // namespace a2h::sql
