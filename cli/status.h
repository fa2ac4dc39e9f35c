#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "cli/command.h"
#include "cli/terminal.h"

namespace a2h::cli {

// `a2h status`, and its parts for `a2h top`.

std::string render_status(const Invocation& invocation, const nlohmann::json& data);
/// One line each for parts of `status`: its connection, one of its `problems`, its `model`
/// ("claude-x: ready, 20000 of 2000000 tokens today, 1.10 USD of 5.00 USD today").
std::string connection_text(const Invocation& invocation, const nlohmann::json& data,
                            const Colours& colours);
std::string problem_text(const Invocation& invocation, const nlohmann::json& problem);
std::string model_text(const Invocation& invocation, const nlohmann::json& model);

}  // namespace a2h::cli
