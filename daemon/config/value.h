#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace a2h::config {

/// What one option is set to, in the forms that files, variables and people write.
using Value = std::variant<bool, std::int64_t, std::string, std::vector<std::string>>;

/// The forms of `Value`, in its order.
enum class Shape { Flag, Integer, Text, List };

/// `value` as TOML writes it.
std::string toml_text(const Value& value);

/// What a variable or an argument means: `true`, `30`, `any text`, `one, two`. Absent when it has
/// not the shape.
std::optional<Value> parse_value(Shape shape, std::string_view text);

}  // namespace a2h::config
