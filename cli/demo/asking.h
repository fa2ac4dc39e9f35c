#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "cli/command.h"

namespace a2h::cli {

/// `data` of one operation as `owner` would call it; null when the call failed.
nlohmann::json look(const Invocation& owner, std::string_view action, nlohmann::json params);

/// How this program is called from where the reader is.
std::string own_command();

}  // namespace a2h::cli
