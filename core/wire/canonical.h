#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace a2h::wire {

/// Canonical JSON: keys sorted by UTF-16 code units, no white space, shortest escapes, numbers as
/// ECMAScript prints them. Integers above 2^53 are first rounded to the nearest double, as every
/// JavaScript reader does. Strings must be UTF-8 and numbers finite, which `parse_json` ensures.
///
/// Source:  RFC 8785.
std::string canonical_json(const nlohmann::json& value);

/// Appends `text`, which is UTF-8, as a canonical JSON string.
void append_json_string(std::string& out, std::string_view text);

/// The forms that clients written in Go may have signed instead of `canonical`, the canonical form
/// of `value`, which was parsed; without repetitions, at most four. Only for verification.
///
/// Source:  docs/protocol.md, "Canonical form".
std::vector<std::string> go_forms(const nlohmann::json& value, const std::string& canonical);

/// Canonical JSON of an object with only text members, for audit rows and events.
std::string text_object(
    std::initializer_list<std::pair<std::string_view, std::string_view>> members);

}  // namespace a2h::wire
