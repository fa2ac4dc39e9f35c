#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "cli/command.h"

namespace a2h::cli {

// `a2h events`.

std::string render_events(const Invocation& invocation, const nlohmann::json& data);

}  // namespace a2h::cli
