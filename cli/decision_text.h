#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "cli/command.h"

namespace a2h::cli {

/// How a decision was made: `reading`, `looked_at`, `rule_id`, `decision`, `why`, `reply` and
/// `question` of `data`, for people.
std::string explanation_text(const Invocation& invocation, const nlohmann::json& data);

}  // namespace a2h::cli
