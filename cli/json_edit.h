#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"

namespace a2h::cli {

/// The form of JSON that the owning program reads.
enum class JsonDialect {
    Strict,
    WithComments,  ///< also with commas before a closing bracket
};

/// `text` with the members of `entry` set in the object at `path`, which is created if it is
/// missing; all other bytes are unchanged. Empty text counts as an empty object.
///
/// Errors:  InvalidArgument if `text` is not JSON of that dialect or not UTF-8, if a name of the
///          path occurs twice, or if it does not name an object.
Result<std::string> set_json_entry(std::string_view text, const std::vector<std::string>& path,
                                   const nlohmann::ordered_json& entry, JsonDialect dialect);

}  // namespace a2h::cli
