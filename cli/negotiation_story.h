#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "cli/command.h"

namespace a2h::cli {

/// One line of the history of a negotiation. `data` is the negotiation, for the names of the
/// participants. Empty for an event that is not shown to people.
std::string story_line(const Invocation& invocation, const nlohmann::json& data,
                       const nlohmann::json& event);

}  // namespace a2h::cli
