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

/// Parses untrusted text: size, depth and UTF-8 are checked before the parser sees it (a nesting
/// bomb costs one scan and no stack), a second member of the same name is refused, and no exception
/// leaves. `{"a":[]}` has depth 2. Stricter than the parser below it: no byte order mark, no NUL.
///
/// Errors:  ResourceExhausted when too large or too deep (message begins "too large"/"too deep");
///          InvalidArgument when it is not UTF-8 (message begins "not UTF-8") or not JSON ("not
///          JSON").
/// Thread:  any.
/// Source:  RFC 8259; I-JSON (RFC 7493) for the unique names.
Result<nlohmann::json> parse_json(std::string_view text, const JsonLimits& limits = {});

/// The number behind `names` (of members, from the outside in) with the digits it is written with,
/// which a double might not keep; nullopt when there is no number. `text` is what `parse_json`
/// took.
std::optional<std::string> number_text(std::string_view text, std::vector<std::string> names);

}  // namespace a2h::wire
