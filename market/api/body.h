#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "core/http/server.h"

namespace a2h::market {

// Reading what a client sent. Unknown fields are ignored; every error is InvalidArgument and names
// the field. `null` counts as absent.

/// The body as a JSON object; an empty body is an empty object.
Result<nlohmann::json> read_body(const http::Request& request);

/// nullopt when absent. Errors: InvalidArgument for another type, or for over `code_points_max`
/// code points (refused, never cut: R14).
Result<std::optional<std::string>> optional_text(const nlohmann::json& body, std::string_view name,
                                                 std::size_t code_points_max);
/// Errors: also when absent or blank.
Result<std::string> required_text(const nlohmann::json& body, std::string_view name,
                                  std::size_t code_points_max);
/// nullopt when absent. A string of digits is taken as well, because clients differ.
Result<std::optional<std::int64_t>> optional_integer(const nlohmann::json& body,
                                                     std::string_view name, std::int64_t min,
                                                     std::int64_t max);

/// Whole text as a decimal integer within `min` and `max`; `name` is for the message.
Result<std::int64_t> to_integer(std::string_view text, std::string_view name, std::int64_t min,
                                std::int64_t max);

}  // namespace a2h::market
