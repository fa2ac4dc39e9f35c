#include "daemon/context/own_agents.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace a2h {

std::vector<Agent*> own_agents(const Agents& agents) {
    std::vector<Agent*> own;
    for (const auto& [id, agent] : agents)
        if (agent->parent_id.empty() && !agent->is_stopped) own.push_back(agent.get());
    std::ranges::sort(own, {}, [](const Agent* agent) {
        return std::pair(agent->place, std::string_view(agent->identity.account.agent_id));
    });
    return own;
}

Agent* default_agent(const Agents& agents) {
    const auto own = own_agents(agents);
    return own.empty() ? nullptr : own.front();
}

}  // namespace a2h
