#pragma once

#include <vector>

#include "daemon/context/agent.h"

namespace a2h {

/// The owner's own agents that are not stopped, in the order in which the home took them in.
///
/// Thread:  the loop.
std::vector<Agent*> own_agents(const Agents& agents);

/// The first of them, which acts whenever a call names no agent. It stays the same whatever ids
/// later agents have. nullptr in a home without agents.
Agent* default_agent(const Agents& agents);

}  // namespace a2h
