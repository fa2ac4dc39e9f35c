#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

#include "core/base/result.h"

namespace a2h::store {

/// What a row has in a column: nothing, a number or text.
using Cell = std::variant<std::monostate, std::int64_t, std::string>;

/// What is told of the tables, in their order by name.
struct TableReader {
    /// Before the rows of a table; `rows` of them follow.
    std::function<Result<void>(const std::string& table, std::span<const std::string> columns,
                               std::int64_t rows)>
        begin;
    std::function<Result<void>(std::span<const Cell> cells)> row;
    std::function<Result<void>()> end;
};

/// Reads every row of every table of the database `file`, which others may write meanwhile, as it
/// is at one moment. Thread: any; a connection of its own; blocks on the disk.
/// Errors: those of `reader`; Timeout when `stop` was requested; Unavailable; Corrupt.
Result<void> read_tables(const std::filesystem::path& file, const TableReader& reader,
                         std::stop_token stop);

}  // namespace a2h::store
