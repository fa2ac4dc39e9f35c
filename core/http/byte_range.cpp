#include "core/http/byte_range.h"

#include <algorithm>
#include <charconv>

namespace a2h::http {
namespace {

/// Digits only. A number that does not fit into 64 bits becomes the largest one.
std::optional<std::uint64_t> to_number(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (end != text.data() + text.size() || error == std::errc::invalid_argument) return {};
    return error == std::errc::result_out_of_range ? UINT64_MAX : value;
}

bool has_unit(std::string_view field) {
    constexpr std::string_view kUnit = "bytes=";
    const auto is_same = [](char unit, char given) {
        return unit == (given >= 'A' && given <= 'Z' ? given + ('a' - 'A') : given);
    };
    return field.size() >= kUnit.size() &&
           std::equal(kUnit.begin(), kUnit.end(), field.begin(), is_same);
}

}  // namespace

std::optional<ByteRange> read_range(std::string_view field, std::uint64_t size) {
    if (!has_unit(field)) return std::nullopt;
    field.remove_prefix(field.find('=') + 1);
    const auto dash = field.find('-');
    if (dash == std::string_view::npos) return std::nullopt;
    const auto first = to_number(field.substr(0, dash));
    const auto last = to_number(field.substr(dash + 1));
    if (dash == 0) {  // the last bytes, by their number
        if (!last) return std::nullopt;
        const std::uint64_t count = std::min(*last, size);
        return ByteRange{size - count, count};
    }
    const bool is_open = dash + 1 == field.size();
    if (!first || (!last && !is_open) || (last && *last < *first)) return std::nullopt;
    if (*first >= size) return ByteRange{};
    const std::uint64_t end = last ? std::min(*last, size - 1) : size - 1;
    return ByteRange{*first, end - *first + 1};
}

}  // namespace a2h::http
