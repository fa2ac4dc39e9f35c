#include "daemon/card/reader.h"

#include "core/base/fence.h"

namespace a2h::card {

void ActingAgents::add(const std::string& agent_id, const std::string& name) {
    names_.with([&](auto& names) { names[agent_id] = name; });
}

void ActingAgents::remove(const std::string& agent_id) {
    names_.with([&](auto& names) { names.erase(agent_id); });
}

std::string ActingAgents::name_of(const std::string& agent_id) const {
    return names_.with([&](const auto& names) -> std::string {
        if (names.size() < 2) return {};
        const auto found = names.find(agent_id);
        std::string id = shown_whole(agent_id);
        const bool has_name =
            found != names.end() && !found->second.empty() && found->second != agent_id;
        return has_name ? shown_whole(found->second) + " (" + id + ")" : id;
    });
}

}  // namespace a2h::card
