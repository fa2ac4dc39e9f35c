#include "market/api/agent_cache.h"

namespace a2h::market {

Result<std::shared_ptr<const Agent>> AgentCache::find(std::string_view agent_id) {
    const auto now = clock_.steady_now();
    auto known = entries_.with([&](const Entries& entries) {
        const auto found = entries.find(agent_id);
        const bool fresh = found != entries.end() && now - found->second.read_at < kFreshFor;
        return fresh ? found->second.agent : nullptr;
    });
    if (known) return known;
    A2H_ASSIGN_OR_RETURN(auto read, database_.read_with(store::find_agent, agent_id));
    // Unknown ids are not cached, because strangers could fill the memory with them.
    if (!read) return std::shared_ptr<const Agent>();
    auto agent = std::make_shared<const Agent>(std::move(*read));
    entries_.with([&](Entries& entries) {
        if (entries.size() >= kEntriesMax) entries.clear();
        entries.insert_or_assign(std::string(agent_id), Entry{agent, now});
    });
    return agent;
}

void AgentCache::forget(std::string_view agent_id) {
    entries_.with([&](Entries& entries) { entries.erase(std::string(agent_id)); });
}

}  // namespace a2h::market
