#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/base/clock.h"
#include "core/base/guarded.h"
#include "core/base/result.h"
#include "market/db/database.h"
#include "market/store/agent_store.h"

namespace a2h::market {

/// Agents by id, because every signed request needs one. An entry is valid for `kFreshFor`, so that
/// changes by another process (`a2h-market revoke`) take effect within a second.
///
/// Thread:  any.
class AgentCache {
  public:
    static constexpr std::chrono::milliseconds kFreshFor{800};
    static constexpr std::size_t kEntriesMax = 20'000;  ///< with one more, all entries are dropped

    /// Both must outlive it.
    AgentCache(db::Database& database, const Clock& clock) : database_(database), clock_(clock) {}

    /// nullptr if there is no such agent.
    ///
    /// Errors:  those of the database.
    Result<std::shared_ptr<const Agent>> find(std::string_view agent_id);
    /// Call after a change of the agent's row by this process.
    void forget(std::string_view agent_id);

  private:
    struct Entry {
        std::shared_ptr<const Agent> agent;
        std::chrono::steady_clock::time_point read_at;
    };
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const {
            return std::hash<std::string_view>()(text);
        }
    };
    using Entries = std::unordered_map<std::string, Entry, Hash, std::equal_to<>>;

    db::Database& database_;
    const Clock& clock_;
    Guarded<Entries> entries_;
};

}  // namespace a2h::market
