#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "cli/command.h"

namespace a2h::cli {

// The output of `a2h inbox`, `a2h send` and `a2h outbox`: each function returns it for `data`, the
// daemon's answer.

std::string render_conversations(const Invocation& invocation, const nlohmann::json& data);
std::string render_history(const Invocation& invocation, const nlohmann::json& data);
std::string render_sent(const Invocation& invocation, const nlohmann::json& data);
/// The same; if a mandate or an earlier yes has answered, what came of that.
std::string render_message(const Invocation& invocation, const nlohmann::json& data);
std::string render_outbox(const Invocation& invocation, const nlohmann::json& data);
std::string render_outbox_change(const Invocation& invocation, const nlohmann::json& data);

}  // namespace a2h::cli
