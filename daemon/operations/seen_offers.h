#pragma once

#include <functional>

#include <nlohmann/json_fwd.hpp>

#include "daemon/context/agent.h"
#include "daemon/kernel/services.h"

namespace a2h::operations {

/// Records the items in `data`, an answer of the market to `agent`, that wait for the owner and
/// were not in the market's news yet. Calls `then` on the loop once they are in the database, so
/// that they count as open before anybody can answer what was read.
///
/// Errors:  those of the database.
/// Source:  R46.
void note_what_waits(const kernel::Services& kernel, const Agent& agent, const nlohmann::json& data,
                     std::function<void(const Result<void>&)> then);

}  // namespace a2h::operations
