#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"

namespace a2h::wire {

struct JsonLimits {
    std::size_t bytes_max = 64 * 1024;
    int depth_max = 32;
};

/// Parses untrusted text. Size, depth and UTF-8 are checked before the parser sees it (deep nesting
/// costs one scan and no stack), a second member with the same name is refused, and no exception is
/// thrown. `{"a":[]}` has depth 2. Stricter than the underlying parser: no byte order mark, no NUL.
///
/// Errors:  ResourceExhausted if it is too large or too deep (the message begins with "too
///          large"/"too deep"); InvalidArgument if it is not UTF-8 ("not UTF-8") or not JSON ("not
///          JSON").
/// Thread:  any.
/// Source:  RFC 8259; I-JSON (RFC 7493) for the unique names.
Result<nlohmann::json> parse_json(std::string_view text, const JsonLimits& limits = {});

/// Whether `error` of `parse_json` is about a limit of ours and not about a rule of JSON: the text
/// is too large or too deep, or contains a number out of range or half of a character. What follows
/// that place in the text was not read.
bool is_beyond_limits(const Error& error);

/// The number at the path `names` (of members, from the outside in) with its digits as written,
/// which a double might not preserve; nullopt if there is no number. `text` must have passed
/// `parse_json`.
std::optional<std::string> number_text(std::string_view text, std::vector<std::string> names);

/// `value` for people: `a2h::shown_whole` of each text and name of a member. What had no hidden
/// character is unchanged.
nlohmann::json shown_whole(const nlohmann::json& value);

}  // namespace a2h::wire
