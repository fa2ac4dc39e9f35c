#include "daemon/kernel/identities.h"

#include <algorithm>
#include <utility>

#include "core/systemd/activation.h"

namespace a2h::kernel {

using platform::AgentIdentity;

Result<std::vector<AgentIdentity>> load_agents(const control::Home& home) {
    auto agents = platform::load_agents(home.agents_dir());
    const auto folder = systemd::credentials_folder();
    if (!agents || folder.empty()) return agents;
    A2H_ASSIGN_OR_RETURN(auto brought, platform::load_agent_credentials(folder));
    const auto id_of = [](const AgentIdentity& agent) { return agent.account.agent_id; };
    for (AgentIdentity& agent : brought) {
        const auto place = std::ranges::lower_bound(*agents, id_of(agent), {}, id_of);
        if (place != agents->end() && id_of(*place) == id_of(agent)) {
            *place = std::move(agent);
        } else {
            agents->insert(place, std::move(agent));
        }
    }
    return agents;
}

Result<platform::HumanIdentity> load_human(const control::Home& home) {
    auto human = platform::load_human(home.human_file());
    const auto folder = systemd::credentials_folder();
    if (human || human.error().code != ErrorCode::NotFound || folder.empty()) return human;
    return platform::load_human_credential(folder);
}

}  // namespace a2h::kernel
