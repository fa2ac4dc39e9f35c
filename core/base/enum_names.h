#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string_view>

#include "core/base/check.h"

namespace a2h {

// The names of an enumeration are listed once, in a table in the order of its values, followed by
// `A2H_ENUM_NAMES`; see core/domain/message.cpp.

/// A value and its name in the database and on the wire.
template <typename Enumeration>
struct EnumName {
    Enumeration value;
    std::string_view name;
};

/// True if `kValue` is the value of an enumerator: compilers print other values as "(Colour)7".
template <auto kValue>
constexpr bool is_enumerator() {
    const std::string_view signature = __PRETTY_FUNCTION__;
    const std::size_t value = signature.find("kValue = ") + std::string_view("kValue = ").size();
    return signature[value] != '(';
}

/// True if the table names every enumerator, from 0 on and without a gap.
template <typename Enumeration, std::size_t kCount>
constexpr bool names_all(const EnumName<Enumeration> (&names)[kCount]) {
    for (std::size_t i = 0; i < kCount; ++i) {
        if (static_cast<std::size_t>(names[i].value) != i) return false;
    }
    return !is_enumerator<static_cast<Enumeration>(kCount)>();
}

/// The name of `value`.
template <typename Enumeration, std::size_t kCount>
constexpr std::string_view name_of(const EnumName<Enumeration> (&names)[kCount],
                                   Enumeration value) {
    const auto index = static_cast<std::size_t>(value);
    A2H_CHECK(index < kCount);
    return names[index].name;
}

/// The value with that name; nullopt if there is none.
template <typename Enumeration, std::size_t kCount>
constexpr std::optional<Enumeration> value_of(const EnumName<Enumeration> (&names)[kCount],
                                              std::string_view name) {
    const auto found = std::find_if(std::begin(names), std::end(names),
                                    [&](const auto& row) { return row.name == name; });
    return found == std::end(names) ? std::nullopt : std::optional(found->value);
}

}  // namespace a2h

/// Defines `to_string(value)` and `parse(text)` of an enumeration from its table `names`. A value
/// without a name does not compile. This must be a macro, because only a macro can define functions
/// by name.
#define A2H_ENUM_NAMES(enumeration, parse, names)             \
    static_assert(::a2h::names_all(names));                   \
    std::string_view to_string(enumeration value) {           \
        return ::a2h::name_of(names, value);                  \
    }                                                         \
    std::optional<enumeration> parse(std::string_view text) { \
        return ::a2h::value_of(names, text);                  \
    }                                                         \
    static_assert(true)
