#pragma once

// Inside core/systemd only: variables that the service manager sets.

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>

namespace a2h::systemd {

/// Empty if it is not set.
inline std::string_view variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::string_view() : value;
}

/// Absent if the variable is not a whole number.
inline std::optional<std::int64_t> number(const char* name) {
    const std::string_view text = variable(name);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

}  // namespace a2h::systemd
