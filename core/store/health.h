#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/store/database.h"

namespace a2h::store {

/// Problems that SQLite finds, at most `limit` lines; empty: none. With `full`, every index is also
/// compared with its table and every reference with its row, which reads the whole file.
///
/// Errors:  those of the disk; Corrupt if it cannot be checked at all.
Result<std::vector<std::string>> integrity_problems(Database& db, bool full, int limit);

/// Names of tables, indexes and triggers that are missing or differ from those of the migrations.
/// Additional ones are not named.
///
/// Errors:  those of the database.
Result<std::vector<std::string>> schema_differences(Database& db);

/// Whether no a2hd has stored anything in this database yet.
///
/// Errors:  those of the database.
Result<bool> is_unused(Database& db);

/// The oldest waiting work; times are 0 if there is none.
struct Backlog {
    std::int64_t undecided = 0;
    UnixMs oldest_undecided_ms = 0;
    std::int64_t queued = 0;
    UnixMs oldest_queued_ms = 0;
    std::int64_t dead = 0;
    UnixMs newest_dead_ms = 0;
};
Result<Backlog> backlog_of(Database& db, std::string_view agent_id);

/// For one channel: the newest notification with a known outcome.
struct LastDelivery {
    std::string channel;
    std::string state;  ///< "delivered", "failed", or "queued" after a failed attempt
    std::string outcome;
    UnixMs at_ms = 0;
};
Result<std::vector<LastDelivery>> last_deliveries(Database& db);

/// Writes the whole log back and empties its file. `db` is ReadWrite and not the writer's.
///
/// Errors:  Unavailable if others read or write for longer than a second.
Result<void> empty_log(Database& db);

/// Rebuilds all indexes.
///
/// Thread:  the writer.
Result<void> reindex(Database& db);

}  // namespace a2h::store
