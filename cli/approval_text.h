#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "cli/command.h"

namespace a2h::cli {

// The output of the commands about approvals: each function returns it for `data`, the daemon's
// answer.

/// "approved, carried out"; a yes that sent nothing, and one whose message still waits in the
/// outbox, have words of their own.
std::string state_of(const Invocation& invocation, const nlohmann::json& approval);
std::string render_approvals(const Invocation& invocation, const nlohmann::json& data);
/// Shows only the first question of the list, for a person who is about to answer it.
std::string render_approval(const Invocation& invocation, const nlohmann::json& data);
std::string render_answered(const Invocation& invocation, const nlohmann::json& data);
std::string render_answered_many(const Invocation& invocation, const nlohmann::json& data);
std::string render_approval_stats(const Invocation& invocation, const nlohmann::json& data);

}  // namespace a2h::cli
