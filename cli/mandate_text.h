#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "cli/command.h"

namespace a2h::cli {

// What the commands about mandates show.

std::string render_mandates(const Invocation& invocation, const nlohmann::json& data);
std::string render_mandate_given(const Invocation& invocation, const nlohmann::json& data);
std::string render_mandates_revoked(const Invocation& invocation, const nlohmann::json& data);
std::string render_bargain_begun(const Invocation& invocation, const nlohmann::json& data);

}  // namespace a2h::cli
