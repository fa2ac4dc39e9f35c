#pragma once

#include <string>

namespace a2h::card {

/// Adds an agent of this home that acts at the market, with the name that people know, or removes
/// it. While there are several, each card names the agent for which it asks.
///
/// Thread:  any.
void add_acting_agent(const std::string& agent_id, const std::string& name);
void remove_acting_agent(const std::string& agent_id);

/// "Shop (ag_…)" for the agent that asks; empty while no other agent could be meant. Thread: any.
std::string acting_agent(const std::string& agent_id);

}  // namespace a2h::card
