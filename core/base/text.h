#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace a2h {

/// True when `text` is well-formed UTF-8: no overlong forms, surrogates or values past U+10FFFF.
/// Source: RFC 3629.
bool is_utf8(std::string_view text);

/// Number of code points of well-formed UTF-8 (R7: every length limit counts these).
std::size_t code_point_count(std::string_view text);

/// Number of UTF-16 units of well-formed UTF-8, by which chat platforms limit a text.
std::size_t utf16_count(std::string_view text);

/// The first `max_code_points` of `text`.
std::string_view truncate(std::string_view text, std::size_t max_code_points);

/// All of `text` on one line: white space and control characters become single spaces.
std::string one_line(std::string_view text);

/// One line of at most 100 code points for lists and notifications: white space and control
/// characters become single spaces, and "…" marks a cut (R4).
std::string preview(std::string_view text);

/// Foreign text in a form that may be shown to a person on a terminal or a page: `shown_whole` with
/// a space for a tab. Bytes that are not UTF-8 become "?".
std::string printable(std::string_view text);

/// `text` for formats in which `&`, `<` and `>` begin markup: HTML, desktop notifications, Slack.
/// Quoted attributes need more, see `web::escape`.
std::string escape_markup(std::string_view text);

/// The number of insertions, deletions and replacements of bytes that turn `a` into `b`; for "did
/// you mean".
std::size_t edit_distance(std::string_view a, std::string_view b);

/// Without white space at both ends (ASCII and U+3000).
std::string_view trim(std::string_view text);

/// Digits as people type them in the form in which programs write them: without white space, also
/// between them, and in ASCII where Chinese input methods write U+FF10 to U+FF19. Everything else
/// stays.
std::string plain_digits(std::string_view typed);

/// `text` with single quotation marks in place of double ones and of what looks like them, so that
/// it cannot end a quotation that it stands in.
std::string with_single_quotes(std::string text);

}  // namespace a2h
