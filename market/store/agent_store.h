#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "market/db/database.h"

namespace a2h::market {

struct Agent {
    std::string agent_id;
    std::string name;
    std::string agent_key;  ///< never in a log or an answer, except to the agent when it registers
    std::string key_id;
    std::string public_key;
    bool require_nonce = false;  ///< requests without nonce and Ed25519 signature are refused
    UnixMs created_at_ms = 0;
    bool revoked = false;
};

}  // namespace a2h::market

namespace a2h::market::store {

// Errors:  those of `db::Transaction`, besides those that a function names.
// Thread:  that of the transaction.

/// Adds `agent`, or returns the one that already has its public key.
///
/// Errors:  Conflict if another agent has its id.
Result<Agent> add_agent(db::Transaction& transaction, const Agent& agent);
Result<std::optional<Agent>> find_agent(db::Transaction& transaction, std::string_view agent_id);
/// Errors: NotFound.
Result<void> rename_agent(db::Transaction& transaction, std::string_view agent_id,
                          std::string_view name);
/// Keeps the time of an earlier revocation.
///
/// Errors:  NotFound.
Result<void> revoke_agent(db::Transaction& transaction, std::string_view agent_id, UnixMs now_ms);
/// Sorted.
Result<std::vector<std::string>> revoked_agents(db::Transaction& transaction);

}  // namespace a2h::market::store
