#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "cli/command.h"

namespace a2h::cli {

/// `data` of one operation called as `owner`; null if the call failed.
nlohmann::json look(const Invocation& owner, std::string_view action, nlohmann::json params);

/// How this program can be called from the reader's current folder.
std::string own_command();

}  // namespace a2h::cli
