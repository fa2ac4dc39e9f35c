#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"

namespace a2h::cli {

/// What the program that owns a JSON file reads.
enum class JsonDialect {
    Strict,
    WithComments,  ///< and with commas before a closing bracket
};

/// `text` with the members of `entry` set in the object at `path`, which is made where it is
/// missing; all other bytes stay as they are. Empty text counts as an empty object.
/// Errors: InvalidArgument when `text` is not JSON of that dialect or not UTF-8, when a name of the
///         path stands there twice, or what it names is no object.
Result<std::string> set_json_entry(std::string_view text, const std::vector<std::string>& path,
                                   const nlohmann::ordered_json& entry, JsonDialect dialect);

}  // namespace a2h::cli
