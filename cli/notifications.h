#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "cli/command.h"

namespace a2h::cli {

// `a2h notify`.

std::string render_channels(const Invocation& invocation, const nlohmann::json& data);
std::string render_notifications(const Invocation& invocation, const nlohmann::json& data);

}  // namespace a2h::cli
