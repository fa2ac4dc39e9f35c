#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace a2h {

/// An exact amount of one currency. Floating-point numbers are never used for money.
struct Money {
    std::int64_t minor = 0;  ///< minor units: cents, fen; yen for JPY
    std::string currency;    ///< ISO 4217: three capital letters

    bool operator==(const Money&) const = default;
};

/// The largest integer that every JSON reader preserves (2^53 - 1).
///
/// Source:  R14.
constexpr std::int64_t kMoneyMinorMax = 9'007'199'254'740'991;

/// The number of decimals of `currency` by ISO 4217: 0, 3 or 4 for those that it lists so, such as
/// JPY, KWD and CLF, otherwise 2.
int minor_digits(std::string_view currency);

/// True for three capital ASCII letters, except for the two codes that ISO 4217 reserves for "no
/// currency" and for tests.
bool is_currency_code(std::string_view text);

/// Reads decimal major units ("280", "19.90") exactly.
///
/// Units:   `text` major units of `currency`; the result minor units.
/// Errors:  InvalidArgument for anything but digits with an optional point, for more digits than
///          the currency has, and for amounts above `kMoneyMinorMax`.
/// Source:  R27.
Result<Money> parse_money(std::string_view text, std::string_view currency);

/// "280.00 CNY": always with all decimals, so that different amounts never look alike.
std::string to_text(const Money& money);

}  // namespace a2h
