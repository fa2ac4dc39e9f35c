#pragma once

#include <cstddef>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"

namespace a2h::wire {

struct JsonLimits {
    std::size_t bytes_max = 64 * 1024;
    int depth_max = 32;
};

/// Parses untrusted text: size, UTF-8 and depth are checked before the parser sees it, duplicate
/// keys are refused, and no exception leaves.
///
/// Errors:  ResourceExhausted when too large or too deep (message begins "too large"/"too deep");
///          InvalidArgument when it is not UTF-8 or not JSON.
Result<nlohmann::json> parse_json(std::string_view text, const JsonLimits& limits = {});

}  // namespace a2h::wire
