#include "core/base/money.h"

namespace a2h {
namespace {

bool is_one_of(std::string_view currency, std::initializer_list<std::string_view> set) {
    for (const auto& entry : set) {
        if (entry == currency) return true;
    }
    return false;
}

Unexpected bad_amount(std::string_view text, std::string_view why) {
    return fail(ErrorCode::InvalidArgument,
                "amount \"" + std::string(text.substr(0, 40)) + "\" " + std::string(why));
}

/// Appends `digit` to `value`; false if the result would exceed `kMoneyMinorMax`.
bool push_digit(std::int64_t& value, char digit) {
    const std::int64_t next = digit - '0';
    if (value > (kMoneyMinorMax - next) / 10) return false;
    value = value * 10 + next;
    return true;
}

}  // namespace

int minor_digits(std::string_view currency) {
    if (is_one_of(currency, {"BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF",
                             "UGX", "UYI", "VND", "VUV", "XAF", "XOF", "XPF"})) {
        return 0;
    }
    if (is_one_of(currency, {"BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"})) return 3;
    if (is_one_of(currency, {"CLF", "UYW"})) return 4;
    return 2;
}

bool is_currency_code(std::string_view text) {
    if (text.size() != 3) return false;
    // ISO 4217 reserves these two for "no currency" and for tests.
    if (text[0] == 'X' && (text.ends_with("XX") || text.ends_with("TS"))) return false;
    for (const char c : text) {
        if (c < 'A' || c > 'Z') return false;
    }
    return true;
}

Result<Money> parse_money(std::string_view text, std::string_view currency) {
    if (!is_currency_code(currency)) {
        return fail(ErrorCode::InvalidArgument,
                    "currency must be an ISO 4217 code of three capital letters");
    }
    const std::size_t point = text.find('.');
    const std::string_view whole = text.substr(0, point);
    const std::string_view fraction =
        point == std::string_view::npos ? std::string_view() : text.substr(point + 1);
    if (whole.empty() || (point != std::string_view::npos && fraction.empty())) {
        return bad_amount(text, "is not a decimal number");
    }
    const int digits = minor_digits(currency);
    if (fraction.size() > static_cast<std::size_t>(digits)) {
        return bad_amount(text, "has more decimals than " + std::string(currency) + " allows");
    }
    std::int64_t minor = 0;
    std::string all(whole);
    all += fraction;
    all.append(static_cast<std::size_t>(digits) - fraction.size(), '0');
    for (const char c : all) {
        if (c < '0' || c > '9') return bad_amount(text, "is not a decimal number");
        if (!push_digit(minor, c)) return bad_amount(text, "is too large");
    }
    return Money{minor, std::string(currency)};
}

std::string to_text(const Money& money) {
    const bool negative = money.minor < 0;
    std::string digits = std::to_string(money.minor);
    if (negative) digits.erase(0, 1);
    const auto decimals = static_cast<std::size_t>(minor_digits(money.currency));
    if (digits.size() <= decimals) digits.insert(0, decimals + 1 - digits.size(), '0');
    if (decimals > 0) digits.insert(digits.size() - decimals, 1, '.');
    return (negative ? "-" : "") + digits + " " + money.currency;
}

}  // namespace a2h
