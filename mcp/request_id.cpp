#include "mcp/request_id.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>

namespace a2h::mcp {
namespace {

using nlohmann::json;

/// Of the largest number that common clients can read.
constexpr int kExponentMax = 308;

std::string take_digits(std::string_view& text) {
    const auto* end =
        std::find_if(text.begin(), text.end(), [](char c) { return c < '0' || c > '9'; });
    const auto size = static_cast<std::size_t>(end - text.begin());
    std::string digits(text.substr(0, size));
    text.remove_prefix(size);
    return digits;
}

/// The exponent that `text` consists of, without its `e`; 0 if there is none.
std::optional<int> read_exponent(std::string_view text) {
    if (text.empty()) return 0;
    if (text.front() != 'e' && text.front() != 'E') return std::nullopt;
    text.remove_prefix(1);
    if (text.starts_with('+')) text.remove_prefix(1);
    int exponent = 0;
    const char* end = text.data() + text.size();
    const auto [last, problem] = std::from_chars(text.data(), end, exponent);
    if (text.empty() || problem != std::errc() || last != end) return std::nullopt;
    if (exponent < -kExponentMax || exponent > kExponentMax) return std::nullopt;
    return exponent;
}

/// The significant digits and the exponent of a whole number; nullopt for anything else.
std::optional<std::string> whole_number(std::string_view text) {
    const bool is_negative = text.starts_with('-');
    if (is_negative) text.remove_prefix(1);
    std::string digits = take_digits(text);
    if (digits.empty() || (digits.size() > 1 && digits[0] == '0')) return std::nullopt;
    std::ptrdiff_t exponent = 0;
    if (text.starts_with('.')) {
        text.remove_prefix(1);
        const std::string fraction = take_digits(text);
        if (fraction.empty()) return std::nullopt;
        digits += fraction;
        exponent -= static_cast<std::ptrdiff_t>(fraction.size());
    }
    const auto written = read_exponent(text);
    if (!written) return std::nullopt;
    digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
    if (digits.empty()) return "0";
    const std::size_t significant = digits.find_last_not_of('0') + 1;
    exponent += *written + static_cast<std::ptrdiff_t>(digits.size() - significant);
    if (exponent < 0) return std::nullopt;
    return (is_negative ? "-" : "") + digits.substr(0, significant) + "e" +
           std::to_string(exponent);
}

/// Replaces the escapes of halves of characters (`\ud83e`), which JSON allows and the parser does
/// not.
std::string without_halves(std::string_view written) {
    std::string text(written);
    for (std::size_t at = 0; (at = text.find('\\', at)) != std::string::npos; at += 2) {
        const std::string_view escape = std::string_view(text).substr(at, 4);
        const bool is_half =
            escape.size() == 4 && escape[1] == 'u' && (escape[2] == 'd' || escape[2] == 'D') &&
            std::string_view("89abcdefABCDEF").find(escape[3]) != std::string_view::npos;
        if (is_half) text.replace(at + 2, 2, "ff");
    }
    return text;
}

/// nullopt for anything but a string.
std::optional<std::string> text_of(std::string_view written) {
    const json value = json::parse(written, nullptr, false);
    if (!value.is_string()) return std::nullopt;
    return value.get<std::string>();
}

}  // namespace

bool is_request_id(std::string_view written) {
    // An answer echoes halves of characters as they were written.
    return written.starts_with('"') ? text_of(without_halves(written)).has_value()
                                    : whole_number(written).has_value();
}

std::string id_key(std::string_view written) {
    if (!written.starts_with('"')) return whole_number(written).value_or(std::string(written));
    const auto text = text_of(written);
    return text ? "\"" + *text : std::string(written);
}

}  // namespace a2h::mcp
