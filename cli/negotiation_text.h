#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "cli/command.h"

namespace a2h::cli {

// Negotiations of many parties as text for a terminal; what is missing shows as nothing, and what
// others wrote is made printable.

/// All of one: what is wanted, who takes part with what, the plan, who thinks what of it, how it
/// ended, and what it becomes.
std::string render_negotiation(const Invocation& invocation, const nlohmann::json& data);
std::string render_negotiations(const Invocation& invocation, const nlohmann::json& data);
/// What a plan was made of, and what awaits whose yes.
std::string render_deeds(const Invocation& invocation, const nlohmann::json& data);
/// What a demand was understood as, and its id.
std::string render_demand(const Invocation& invocation, const nlohmann::json& data);
/// One version of a plan: the parts, the milestones, and what it changed.
std::string render_plan(const Invocation& invocation, const nlohmann::json& plan);
/// What nobody does yet; empty when nothing is missing.
std::string render_gaps(const Invocation& invocation, const nlohmann::json& data);
/// One line of its story; `data` is the negotiation, for the names of those who take part. Empty
/// for an event that says nothing to a person.
std::string story_line(const Invocation& invocation, const nlohmann::json& data,
                       const nlohmann::json& event);

}  // namespace a2h::cli
