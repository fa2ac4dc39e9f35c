#pragma once

#include <string>

namespace a2h::card {

/// Tells the cards of an agent of this home that acts at the market, by which name people know it,
/// or that it no longer does. If there are several, each card says for which agent it asks.
///
/// Thread:  any.
void add_acting_agent(const std::string& agent_id, const std::string& name);
void remove_acting_agent(const std::string& agent_id);

/// "Shop (ag_…)" for the agent that asks; empty while no other agent could be meant. Thread: any.
std::string acting_agent(const std::string& agent_id);

}  // namespace a2h::card
