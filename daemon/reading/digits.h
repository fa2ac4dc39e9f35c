#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace a2h::reading {

inline bool is_digit(std::string_view text, std::size_t i) {
    return i < text.size() && text[i] >= '0' && text[i] <= '9';
}

inline bool starts_at(std::string_view text, std::size_t i, std::string_view what) {
    return i <= text.size() && text.substr(i).starts_with(what);
}

/// A run of digits in comparable text with all separators, taken as a whole, so that no part of a
/// number is read as the number.
///
/// Decimal forms are: digits; a point, or a comma before one or two digits, and decimals; groups of
/// three after commas, points, apostrophes or spaces. A comma before three digits groups ("1,200");
/// a single point before three digits is ambiguous ("1.200" is 1.2 in some countries and 1200 in
/// others).
struct DigitRun {
    enum class Kind {
        Decimal,
        Unknown,  ///< "12,34,567", "1.200", "1万2": a number with an unclear value
        Date,     ///< a date or a time: "10:30", "21/11"
    };
    std::size_t end = 0;
    Kind kind = Kind::Decimal;
    std::string digits;  ///< decimal without grouping; for other kinds the text itself
    bool has_space = false;
    bool has_decimal_comma = false;
};

/// Reads the run that begins with the digit at `begin`.
DigitRun read_digits(std::string_view text, std::size_t begin);

/// Applies a "k", "w" or 万 after the digits; further digits after it make the value unknown.
void read_multiplier(std::string_view text, std::size_t begin, DigitRun& run);

/// Whether the digits at `begin` continue a number in Chinese numerals: 三万5千.
bool is_behind_han_unit(std::string_view text, std::size_t begin);

}  // namespace a2h::reading
