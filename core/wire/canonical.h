#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace a2h::wire {

/// Canonical JSON: keys sorted by UTF-16 code units, no white space, shortest escapes, numbers as
/// ECMAScript prints them. Source: RFC 8785.
std::string canonical_json(const nlohmann::json& value);

/// What the Go client signs: keys sorted by bytes; `<`, `>`, `&`, U+2028 and U+2029 escaped. Only
/// for verifying. Source: docs/protocol.md, "Canonical form".
std::string canonical_json_go(const nlohmann::json& value);

}  // namespace a2h::wire
