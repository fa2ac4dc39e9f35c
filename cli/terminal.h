#pragma once

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace a2h::cli {

/// The number of columns of `text` on a terminal: 2 for East Asian wide characters, 0 for combining
/// ones.
std::size_t display_width(std::string_view text);

/// The beginning of `text` that fits into `columns`; a cut text ends with "…".
std::string fit(std::string_view text, std::size_t columns);

/// How far a continued line of somebody's text is indented beyond its beginning.
constexpr std::size_t kHang = 4;
/// `text` with its further lines indented by `kHang`, so that none of them looks like a line of
/// ours.
std::string with_hang(std::string_view text);

/// `text` as lines of at most `columns`, each indented by `indent` spaces; broken at spaces, or
/// between wide characters. What is continued on a further line is indented like the beginning of
/// its line and by `hang` more, so that it does not look like a line of its own.
std::string wrap(std::string_view text, std::size_t columns, std::size_t indent,
                 std::size_t hang = 0);

/// Rows under headings, with two spaces between columns; the last column is cut so that all fit
/// into `columns`. Cells are made printable. Empty if there are no rows.
std::string table(const std::vector<std::string>& headings,
                  const std::vector<std::vector<std::string>>& rows, std::size_t columns);

/// Width of the terminal on stdout; 80 if it is not a terminal.
std::size_t terminal_columns();

/// Escape codes for a terminal; empty texts if `stream` is not a terminal, or if NO_COLOR is set.
struct Colours {
    std::string bold, dim, green, yellow, red, cyan, reset;
};
Colours colours_for(std::FILE* stream);

/// Whether there is a controlling terminal, on which a person can be asked.
bool has_terminal();

/// Asks on the controlling terminal without echo. Ctrl-C restores the terminal first.
///
/// Errors:  Unavailable without a terminal; InvalidArgument if the input ended.
Result<std::string> ask_secret(std::string_view prompt);

/// Asks on the controlling terminal for one line with echo.
///
/// Errors:  as `ask_secret`.
Result<std::string> ask_line(std::string_view prompt);

/// The first line of stdin, without its end.
///
/// Errors:  InvalidArgument if there is none.
Result<std::string> read_stdin_line();

}  // namespace a2h::cli
