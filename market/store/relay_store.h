#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/clock.h"
#include "core/base/ids.h"
#include "core/base/result.h"
#include "market/db/database.h"
#include "market/store/agent_store.h"

namespace a2h::market {

/// The agent in whose name the market sends.
struct OwnAgent {
    Agent agent;             ///< logs in at the broker; messages are stored under its id
    std::string secret_key;  ///< Ed25519; never logged, never in an answer

    /// The sender id of the market's messages, as others see it.
    std::string sender_id() const { return market_sender_id(agent.agent_id); }
};

}  // namespace a2h::market

namespace a2h::market::store {

// Errors:  those of `db::Transaction`, besides those that a function names.
// Thread:  that of the transaction.

/// nullopt before the first start.
Result<std::optional<OwnAgent>> find_own_agent(db::Transaction& transaction);
/// Adds agent and key.
///
/// Errors:  Conflict if they exist.
Result<void> add_own_agent(db::Transaction& transaction, const OwnAgent& own);

inline constexpr std::chrono::seconds kRelayLease{15};

/// Takes or renews the lease of the one market process that uses the broker, valid for
/// `kRelayLease`. False while another `holder` has it.
Result<bool> take_relay_lease(db::Transaction& transaction, std::string_view holder, UnixMs now_ms);
/// Releases the lease if `holder` has it.
Result<void> release_relay_lease(db::Transaction& transaction, std::string_view holder);

}  // namespace a2h::market::store
