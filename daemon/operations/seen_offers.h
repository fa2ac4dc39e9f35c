#pragma once

#include <functional>

#include <nlohmann/json_fwd.hpp>

#include "daemon/context/agent.h"
#include "daemon/kernel/services.h"

namespace a2h::operations {

/// Notes what of `data`, an answer of the market to `agent`, waits for the owner and has not been
/// told by the market's news yet, and calls `then` on the loop once that is in the database: nobody
/// answers what was read before it counts as open. Errors: the database's. Source: R46.
void note_what_waits(const kernel::Services& kernel, const Agent& agent, const nlohmann::json& data,
                     std::function<void(const Result<void>&)> then);

}  // namespace a2h::operations
