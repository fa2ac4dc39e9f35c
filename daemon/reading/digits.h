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

/// Digits as they stand in comparable text, with everything that holds them together: whole, so
/// that no part of a number is taken for it.
///
/// Decimal are: digits; a point, or a comma before one or two digits, and decimals; groups of three
/// behind commas, points, apostrophes or spaces. A comma before three digits groups ("1,200"), a
/// single point before three says nothing certain ("1.200" is 1.2 here and 1200 there).
struct DigitRun {
    enum class Kind {
        Decimal,
        Unknown,  ///< "12,34,567", "1.200", "1万2": a number, but which?
        Date,     ///< or a time: "10:30", "21/11"
    };
    std::size_t end = 0;
    Kind kind = Kind::Decimal;
    std::string digits;  ///< decimal without grouping; of other kinds the text itself
    bool has_space = false;
    bool has_decimal_comma = false;
};

/// The run that begins with the digit at `begin`.
DigitRun read_digits(std::string_view text, std::size_t begin);

/// Applies "k", "w" or 万 behind the digits, if there; more digits behind that make it unknown.
void read_multiplier(std::string_view text, std::size_t begin, DigitRun& run);

/// Whether the digits at `begin` go on a number in Chinese numerals: 三万5千.
bool is_behind_han_unit(std::string_view text, std::size_t begin);

}  // namespace a2h::reading
