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

/// The abilities that an agent states.
struct AgentProfile {
    std::string agent_id{};
    std::string user_name{};  ///< when read: the agent's name if the profile has none
    std::string profile_summary{};
    std::string location{};
    std::vector<std::string> tags{};
    std::string capabilities_json = "{}";  ///< an object in a form that the agent chooses
    std::vector<std::string> interests{};
    std::string availability{};
    bool is_active = true;  ///< when read: also false for a revoked agent
    UnixMs updated_at_ms = 0;
    std::vector<Capability>
        published{};  ///< when read: its capabilities, see `replace_capabilities`
};

/// The profiles after (`updated_after_ms`, `after_id`), in the order of change.
struct AgentProfileQuery {
    std::string tag{};  ///< a tag of the profile, or type or domain of a capability; empty: any
    UnixMs updated_after_ms = 0;
    std::string after_id{};
    std::int64_t limit = 100;
};

}  // namespace a2h::market

namespace a2h::market::store {

// Errors:  those of `db::Transaction`, besides those that a function names.
// Thread:  that of the transaction.

/// Replaces the profile of `profile.agent_id`; members that are only read are ignored. Each change
/// gets a later time than all before it, at least `now_ms`.
Result<void> save_agent_profile(db::Transaction& transaction, const AgentProfile& profile,
                                UnixMs now_ms);
/// Call when the agent's capabilities have changed. Readers of profiles see this as a change, of an
/// empty profile if there is none.
Result<void> touch_agent_profile(db::Transaction& transaction, std::string_view agent_id,
                                 UnixMs now_ms);
/// nullopt if it has neither profile nor capabilities.
Result<std::optional<AgentProfile>> find_agent_profile(db::Transaction& transaction,
                                                       std::string_view agent_id);
Result<std::vector<AgentProfile>> list_agent_profiles(db::Transaction& transaction,
                                                      const AgentProfileQuery& query);

}  // namespace a2h::market::store
