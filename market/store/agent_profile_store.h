#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "market/db/database.h"
#include "market/store/capability_store.h"

namespace a2h::market {

/// What an agent says it can do.
struct AgentProfile {
    std::string agent_id{};
    std::string user_name{};  ///< read: the agent's name where the profile has none
    std::string profile_summary{};
    std::string location{};
    std::vector<std::string> tags{};
    std::string capabilities_json = "{}";  ///< an object of the agent's own making
    std::vector<std::string> interests{};
    std::string availability{};
    bool is_active = true;  ///< read: false for a revoked agent, too
    UnixMs updated_at_ms = 0;
    std::vector<Capability> published{};  ///< read: its capabilities, see `replace_capabilities`
};

/// The profiles behind (`updated_after_ms`, `after_id`), in the order of change.
struct AgentProfileQuery {
    std::string tag{};  ///< one of the profile, or type or domain of a capability; empty: any
    UnixMs updated_after_ms = 0;
    std::string after_id{};
    std::int64_t limit = 100;
};

}  // namespace a2h::market

namespace a2h::market::store {

/// Replaces the profile of `profile.agent_id`; what is only read does not count. Each change has a
/// later time than all before it, `now_ms` at least.
Result<void> save_agent_profile(db::Transaction& transaction, const AgentProfile& profile,
                                UnixMs now_ms);
/// Call when the agent's capabilities have changed: readers of profiles see it as a change, of an
/// empty profile where there is none.
Result<void> touch_agent_profile(db::Transaction& transaction, std::string_view agent_id,
                                 UnixMs now_ms);
/// nullopt when it has neither profile nor capabilities.
Result<std::optional<AgentProfile>> find_agent_profile(db::Transaction& transaction,
                                                       std::string_view agent_id);
Result<std::vector<AgentProfile>> list_agent_profiles(db::Transaction& transaction,
                                                      const AgentProfileQuery& query);

}  // namespace a2h::market::store
