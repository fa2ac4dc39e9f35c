#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"

namespace a2h::sql {

/// One numbered file in a folder of migrations. A file that was applied is never edited.
struct Migration {
    int version = 0;   ///< 1 for `0001_initial.sql`
    std::string name;  ///< name of the file without its extension
    std::string sql;
};

/// The embedded files by version; `read` returns the text of one.
std::vector<Migration> migrations_of(
    const std::vector<std::string_view>& file_names,
    const std::function<std::optional<std::string_view>(std::string_view)>& read);

/// Selects the newest applied version from the table schema_migration.
inline constexpr std::string_view kNewestVersion =
    "select coalesce(max(version), 0) from schema_migration";

/// A database whose schema is to be updated.
class MigrationTarget {
  public:
    virtual ~MigrationTarget() = default;

    /// 0 if the database is empty.
    ///
    /// Errors:  Corrupt if it belongs to another program.
    virtual Result<int> version() = 0;
    /// The file for a copy of the database before `version`; empty if there is none.
    virtual std::string copy_before(int version) const = 0;
    /// Writes that file.
    virtual Result<void> back_up(const std::string& copy) = 0;
    /// Runs `migration` in one transaction together with its row in schema_migration.
    virtual Result<void> apply(const Migration& migration) = 0;
};

/// Updates `target` to the last of `known`. An existing schema is copied before the first change.
/// Each migration is reported to `progress`.
///
/// Errors:  Unsupported if the schema is newer than the last migration (nothing is changed); those
///          of `target`.
Result<void> migrate(MigrationTarget& target, const std::vector<Migration>& known,
                     std::string_view database_name, Progress& progress);

}  // namespace a2h::sql
