#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace a2h::config {

/// The value of one option, in the forms that files, variables and people write.
using Value = std::variant<bool, std::int64_t, std::string, std::vector<std::string>>;

/// The forms of `Value`, in its order.
enum class Shape { Flag, Integer, Text, List };

/// `value` as TOML writes it.
std::string toml_text(const Value& value);

/// The value of a variable or an argument: `true`, `30`, `any text`, `one, two`. Absent if it does
/// not have this shape.
std::optional<Value> parse_value(Shape shape, std::string_view text);

}  // namespace a2h::config
