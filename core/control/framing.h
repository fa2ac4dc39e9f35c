#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace a2h::control {

/// Splits a byte stream into lines. Pure: it gets what read(2) returned and reads nothing itself,
/// so it never hides bytes from poll(2) as buffered streams do.
///
/// Lines end with LF or CR LF; empty lines are skipped. A line longer than `line_bytes_max` is
/// reported once, as soon as it exceeds the limit, and dropped up to its LF, so memory stays
/// bounded.
///
/// Thread:  one at a time.
class LineSplitter {
  public:
    struct Line {
        std::string text;       ///< without its line end; empty if `too_long`
        bool too_long = false;  ///< the line exceeded `line_bytes_max` and was dropped
    };

    explicit LineSplitter(std::size_t line_bytes_max) : line_bytes_max_(line_bytes_max) {}

    void append(std::string_view bytes);
    /// The next complete line; nullopt until more bytes arrive.
    std::optional<Line> next();

  private:
    std::size_t line_bytes_max_;
    std::string buffer_;
    std::size_t begin_ = 0;    ///< start of the first line not yet returned
    std::size_t scanned_ = 0;  ///< no LF between `begin_` and here
    bool dropping_ = false;    ///< inside a line that is too long
};

/// Whether `written`, the text between the quotes of a JSON string, stands for `name`. Escapes of
/// ASCII characters are understood.
bool is_name(std::string_view written, std::string_view name);

/// The text of member `key` of a JSON object exactly as written: numbers keep all digits, and
/// strings their quotes and escapes. `key` is compared by `is_name`. nullopt if `object` has no
/// such member or is not an object.
///
/// `object` must have passed a JSON parser or come from our own writer. Other text gives nullopt or
/// a part of the text, never an access outside it.
std::optional<std::string_view> raw_member(std::string_view object, std::string_view key);

}  // namespace a2h::control
