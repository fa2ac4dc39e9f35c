#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

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

/// The form that the Go client signs: keys sorted by bytes; `<`, `>`, `&`, U+2028 and U+2029
/// escaped. Only for verification.
///
/// Source:  docs/protocol.md, "Canonical form".
std::string canonical_json_go(const nlohmann::json& value);

/// False if the Go form of a value certainly equals `canonical`, its canonical form, so that a
/// second attempt is pointless.
bool may_differ_in_go(const std::string& canonical);

/// Canonical JSON of an object with only text members, for audit rows and events.
std::string text_object(
    std::initializer_list<std::pair<std::string_view, std::string_view>> members);

}  // namespace a2h::wire
