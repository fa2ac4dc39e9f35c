#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/domain/local_agent.h"
#include "core/store/database.h"

namespace a2h::store {

// Errors:  those of the database, besides those that a function names.
// Thread:  that of `db`.

/// Errors:  Conflict if the id exists.
Result<void> insert_local_agent(Database& db, const LocalAgent& agent);
Result<std::optional<LocalAgent>> get_local_agent(Database& db, std::string_view agent_id);
/// The active and the stopped agents in the order of creation, so that parents come before
/// children.
Result<std::vector<LocalAgent>> list_local_agents(Database& db);
/// The ids of `root_id` and of the active agents below it.
Result<std::vector<std::string>> active_agents_below(Database& db, const std::string& root_id);
/// Errors:  NotFound unless it exists and is active.
Result<void> stop_local_agent(Database& db, std::string_view agent_id, UnixMs now_ms);
/// Sets the agent as registered, with the agent key that the market assigned.
///
/// Errors:  NotFound unless it exists and is active.
Result<void> set_local_agent_registered(Database& db, std::string_view agent_id,
                                        std::string_view agent_key);

}  // namespace a2h::store
