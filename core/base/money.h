#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace a2h {

/// An exact amount of one currency. Never a floating-point number anywhere.
struct Money {
    std::int64_t minor = 0;  ///< minor units: cents, fen; yen for JPY
    std::string currency;    ///< ISO 4217, three capital letters

    bool operator==(const Money&) const = default;
};

/// Largest amount that every JSON reader keeps exactly (2^53 - 1). Source: R14.
constexpr std::int64_t kMoneyMinorMax = 9'007'199'254'740'991;

/// Digits after the decimal point of `currency`: 0 for JPY, KRW and VND, 3 for BHD, JOD, KWD, OMR
/// and TND, else 2.
int minor_digits(std::string_view currency);

/// True for three capital ASCII letters, but for the two codes that ISO 4217 keeps for no currency
/// and for tests.
bool is_currency_code(std::string_view text);

/// Reads decimal major units ("280", "19.90") exactly.
///
/// Units:   `text` major units of `currency`; the result minor units.
/// Errors:  InvalidArgument for anything but digits with an optional point, for more digits than
///          the currency has, and for amounts above `kMoneyMinorMax`.
/// Source:  R27.
Result<Money> parse_money(std::string_view text, std::string_view currency);

/// "280.00 CNY": always with all minor digits, so that two amounts never look alike by accident.
std::string to_text(const Money& money);

}  // namespace a2h
