#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <variant>

#include "core/base/result.h"

namespace a2h::store {

/// The value of a column: null, a number or text.
using Cell = std::variant<std::monostate, std::int64_t, std::string>;

/// Callbacks for the tables, which are read in order of their names.
struct TableReader {
    /// Called before the rows of a table; `rows` is their number.
    std::function<Result<void>(const std::string& table, std::span<const std::string> columns,
                               std::int64_t rows)>
        begin;
    std::function<Result<void>(std::span<const Cell> cells)> row;
    std::function<Result<void>()> end;
};

/// Reads every row of every table of the database `file` in one snapshot; others may write at the
/// same time. Uses a connection of its own and blocks on the disk.
///
/// Errors:  those of `reader`; Timeout if `stop` was requested; Unavailable; Corrupt.
/// Thread:  any.
Result<void> read_tables(const std::filesystem::path& file, const TableReader& reader,
                         std::stop_token stop);

}  // namespace a2h::store
