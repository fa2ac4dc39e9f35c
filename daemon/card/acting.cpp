#include "daemon/card/acting.h"

#include <map>
#include <mutex>

#include "core/base/fence.h"

namespace a2h::card {
namespace {

std::mutex mutex;
std::map<std::string, std::string>& known() {
    static std::map<std::string, std::string> names;
    return names;
}

}  // namespace

void add_acting_agent(const std::string& agent_id, const std::string& name) {
    const std::lock_guard lock(mutex);
    known()[agent_id] = name;
}

void remove_acting_agent(const std::string& agent_id) {
    const std::lock_guard lock(mutex);
    known().erase(agent_id);
}

std::string acting_agent(const std::string& agent_id) {
    const std::lock_guard lock(mutex);
    if (known().size() < 2) return {};
    const auto found = known().find(agent_id);
    const std::string id = shown_whole(agent_id);
    if (found == known().end() || found->second.empty() || found->second == agent_id) return id;
    return shown_whole(found->second) + " (" + id + ")";
}

}  // namespace a2h::card
