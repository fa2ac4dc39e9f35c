#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"

namespace a2h::catalogue {

/// Checks `value` against a JSON Schema with the keywords that the catalogue and the market's API
/// use (type, also as a list; properties, required, additionalProperties, enum, minLength,
/// maxLength, minimum, maximum, items, minItems, maxItems, pattern). Lengths count code points
/// (R7). Integers must fit into 64 bits.
///
/// Errors:  InvalidArgument; the message names the member, what is allowed, and "did you mean" for
///          an unknown member.
Result<void> validate(const nlohmann::json& schema, const nlohmann::json& value);

}  // namespace a2h::catalogue
