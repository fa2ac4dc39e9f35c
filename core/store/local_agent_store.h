#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/domain/local_agent.h"
#include "core/store/database.h"

namespace a2h::store {

/// Errors: Conflict when the id is there already.
Result<void> insert_local_agent(Database& db, const LocalAgent& agent);
Result<std::optional<LocalAgent>> get_local_agent(Database& db, std::string_view agent_id);
/// Active and stopped ones, in the order of their making: parents before children.
Result<std::vector<LocalAgent>> list_local_agents(Database& db);
/// `root_id`, and the active ones that it or one of them made.
Result<std::vector<std::string>> active_agents_below(Database& db, const std::string& root_id);
/// Errors: NotFound unless it is there and active.
Result<void> stop_local_agent(Database& db, std::string_view agent_id, UnixMs now_ms);
/// The market knows it now, with the agent key that it gave. Errors: NotFound unless it is there
/// and active.
Result<void> set_local_agent_registered(Database& db, std::string_view agent_id,
                                        std::string_view agent_key);

}  // namespace a2h::store
