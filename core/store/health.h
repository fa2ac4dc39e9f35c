#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/store/database.h"

namespace a2h::store {

/// What SQLite finds wrong, `limit` lines at most; empty: nothing. `full` compares every index with
/// its table and every reference with its row, too, which reads the whole file. Errors: those of
/// the disk; Corrupt when it cannot even be looked through.
Result<std::vector<std::string>> integrity_problems(Database& db, bool full, int limit);

/// Names of tables, indexes and triggers that are missing, or other than the migrations make them;
/// what somebody added is not named.
Result<std::vector<std::string>> schema_differences(Database& db);

/// Oldest work that waits; times are 0 when there is none.
struct Backlog {
    std::int64_t undecided = 0;
    UnixMs oldest_undecided_ms = 0;
    std::int64_t queued = 0;
    UnixMs oldest_queued_ms = 0;
    std::int64_t dead = 0;
    UnixMs newest_dead_ms = 0;
};
Result<Backlog> backlog_of(Database& db, std::string_view agent_id);

/// Of one channel: the newest notification whose outcome is known.
struct LastDelivery {
    std::string channel;
    std::string state;  ///< "delivered", "failed", or "queued" after a failed attempt
    std::string outcome;
    UnixMs at_ms = 0;
};
Result<std::vector<LastDelivery>> last_deliveries(Database& db);

/// Writes the whole log back and empties its file. `db` is ReadWrite and not the writer's.
/// Errors: Unavailable when somebody reads or writes for longer than a second.
Result<void> empty_log(Database& db);

/// Makes all indexes anew. Thread: the writer.
Result<void> reindex(Database& db);

}  // namespace a2h::store
