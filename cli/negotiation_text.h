#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "cli/command.h"

namespace a2h::cli {

// Negotiations of many parties as text for a terminal. Missing members are shown as nothing, and
// words of others are made printable.

/// The whole negotiation: the demand, the participants and their offers, the plan, the feedback,
/// the result, and the plan actions.
std::string render_negotiation(const Invocation& invocation, const nlohmann::json& data);
std::string render_negotiations(const Invocation& invocation, const nlohmann::json& data);
/// The plan actions of a plan, and which of them wait for a yes.
std::string render_plan_actions(const Invocation& invocation, const nlohmann::json& data);
/// How a demand was understood, and its id.
std::string render_demand(const Invocation& invocation, const nlohmann::json& data);
/// One version of a plan: the parts, the milestones, and its changes.
std::string render_plan(const Invocation& invocation, const nlohmann::json& plan);
/// Describes the parts that nobody does yet; empty if nothing is missing.
std::string render_gaps(const Invocation& invocation, const nlohmann::json& data);

}  // namespace a2h::cli
