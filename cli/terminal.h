#pragma once

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace a2h::cli {

/// Columns that `text` takes on a terminal: 2 for East Asian wide characters, 0 for combining ones.
std::size_t display_width(std::string_view text);

/// The beginning of `text` that fits into `columns`; what was cut ends in "…".
std::string fit(std::string_view text, std::size_t columns);

/// `text` as lines of at most `columns`, each behind `indent` spaces; breaks at spaces, or between
/// wide characters.
std::string wrap(std::string_view text, std::size_t columns, std::size_t indent);

/// Rows under headings, two spaces between columns; the last column is cut to `columns` in all.
/// Cells are made printable. Empty when there are no rows.
std::string table(const std::vector<std::string>& headings,
                  const std::vector<std::vector<std::string>>& rows, std::size_t columns);

/// Width of the terminal on stdout; 80 when it is none.
std::size_t terminal_columns();

/// Escape codes for a terminal; empty texts when `stream` is none, or NO_COLOR is set.
struct Colours {
    std::string bold, dim, green, yellow, red, cyan, reset;
};
Colours colours_for(std::FILE* stream);

/// Asks on the controlling terminal without echo. Ctrl-C restores the terminal first.
/// Errors: Unavailable without a terminal; InvalidArgument when the input ended.
Result<std::string> ask_secret(std::string_view prompt);

/// Asks on the controlling terminal for one line, which is seen while it is typed.
/// Errors: as `ask_secret`.
Result<std::string> ask_line(std::string_view prompt);

/// The first line of stdin, without its end. Errors: InvalidArgument when there is none.
Result<std::string> read_stdin_line();

}  // namespace a2h::cli
