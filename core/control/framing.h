#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace a2h::control {

/// Cuts a byte stream into lines. Pure: it is handed what read(2) returned and reads nothing
/// itself, so that it never hides bytes from a poll(2) as buffered streams do.
///
/// Lines end in LF or CR LF; empty ones are left out. Of a line longer than `line_bytes_max`
/// nothing is kept: it is told once, as soon as the limit is passed, and dropped up to its LF, so
/// memory stays bounded whatever is sent.
/// Thread: one at a time.
class LineSplitter {
  public:
    struct Line {
        std::string text;       ///< without its line end; empty when `too_long`
        bool too_long = false;  ///< the line passed `line_bytes_max` and was dropped
    };

    explicit LineSplitter(std::size_t line_bytes_max) : line_bytes_max_(line_bytes_max) {}

    void append(std::string_view bytes);
    /// The next complete line; nullopt until more bytes come.
    std::optional<Line> next();

  private:
    std::size_t line_bytes_max_;
    std::string buffer_;
    std::size_t begin_ = 0;    ///< where the first line not yet handed out begins
    std::size_t scanned_ = 0;  ///< no LF between `begin_` and here
    bool dropping_ = false;    ///< inside a line that was too long
};

/// The text of member `key` of a JSON object, exactly as it is written there: numbers keep all
/// their digits and strings their quotes and escapes. `key` is compared with the written form, so
/// it must need no escapes. nullopt when `object` has no such member, or is not an object.
///
/// `object` must have passed a JSON parser, or come from our own writer; other text gives nullopt
/// or a part of the text, never an access outside it.
std::optional<std::string_view> raw_member(std::string_view object, std::string_view key);

/// The texts of a JSON array's items, with the same care; empty for anything else.
std::vector<std::string_view> raw_items(std::string_view array);

}  // namespace a2h::control
