#pragma once

#include <cstdint>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/store/database.h"

namespace a2h::store {

/// Waiting items of all agents together.
struct Queue {
    std::int64_t length = 0;
    UnixMs oldest_ms = 0;  ///< when its oldest item began to wait; 0 if it is empty
};

struct Queues {
    Queue inbox;      ///< messages that are undecided or with a stage
    Queue outbox;     ///< messages to be sent
    Queue approvals;  ///< unanswered questions to humans
    std::int64_t dead_letters = 0;
    std::int64_t held = 0;  ///< messages held by a restore or because of another instance
};

/// Reads the state of all queues. The cost depends on the number of waiting items and not of stored
/// ones, because each search uses an index of waiting items.
///
/// Errors:  those of the database.
/// Thread:  that of `db`.
Result<Queues> read_queues(Database& db);

}  // namespace a2h::store
