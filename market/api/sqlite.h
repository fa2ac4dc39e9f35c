#pragma once

#include <filesystem>
#include <memory>

#include "core/base/result.h"

namespace SQLite {
class Database;
}

namespace a2h::market {

enum class Durability {
    PowerLoss,  ///< a commit survives a power failure: `synchronous=FULL`
    Crash,      ///< a commit survives the end of the process: `synchronous=NORMAL`
};

/// Opens or creates a database with the settings that both files of the market share. Throws
/// SQLite::Exception, so it is only for classes that convert it to a `Result` with `to_error`.
std::unique_ptr<SQLite::Database> open_sqlite(const std::filesystem::path& file,
                                              Durability durability);

/// The `Error` for the SQLite::Exception or std::exception that is being handled.
Error to_error();

/// Runs `work`, which may throw the exceptions of SQLiteCpp.
template <typename Work>
auto guarded_sql(Work&& work) -> decltype(work()) {
    try {
        return work();
    } catch (...) {
        return fail(to_error());
    }
}

}  // namespace a2h::market
