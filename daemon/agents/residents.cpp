#include "daemon/agents/residents.h"

#include <utility>

#include "daemon/context/own_agents.h"

namespace a2h::agents {

std::string Residents::address_of(const std::string& name) const {
    if (name != kRoot) return name;
    const Agent* root = default_agent(agents_);
    return root == nullptr ? std::string() : root->identity.account.agent_id;
}

bool Residents::is_own(const std::string& agent_id) const {
    const auto agent = agents_.find(agent_id);
    return agent != agents_.end() && agent->second->parent_id.empty() && !agent->second->is_stopped;
}

bool Residents::is_ours(const std::string& agent_id) const {
    const auto agent = agents_.find(agent_id);
    return agent != agents_.end() && !agent->second->is_stopped;
}

bool Residents::is_stopped(const std::string& agent_id) const {
    const LocalAgent* local = find(agent_id);
    return local != nullptr && local->state == LocalAgentState::Stopped;
}

std::string Residents::role_of(const std::string& agent_id) const {
    if (const LocalAgent* local = find(agent_id)) return local->role_id;
    return is_own(agent_id) ? std::string(kRoot) : std::string();
}

const LocalAgent* Residents::find(const std::string& agent_id) const {
    const auto place = places_.find(agent_id);
    return place == places_.end() ? nullptr : &made_[place->second];
}

void Residents::add(LocalAgent agent) {
    if (agent.state == LocalAgentState::Active) ++active_;
    places_[agent.agent_id] = made_.size();
    made_.push_back(std::move(agent));
}

void Residents::stop(const std::string& agent_id, UnixMs now_ms) {
    LocalAgent& agent = made_.at(places_.at(agent_id));
    if (agent.state == LocalAgentState::Active) --active_;
    agent.state = LocalAgentState::Stopped;
    agent.stopped_at_ms = now_ms;
}

void Residents::set_registered(const std::string& agent_id, const std::string& agent_key) {
    LocalAgent& agent = made_.at(places_.at(agent_id));
    agent.is_registered = true;
    agent.agent_key = agent_key;
}

}  // namespace a2h::agents
