#pragma once

#include <cstdint>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/store/database.h"

namespace a2h::store {

/// What waits somewhere, of all agents together.
struct Queue {
    std::int64_t length = 0;
    UnixMs oldest_ms = 0;  ///< since when its oldest one waits; 0 without any
};

struct Queues {
    Queue inbox;      ///< messages that nothing has been decided about, or that a stage has
    Queue outbox;     ///< messages to be sent
    Queue approvals;  ///< questions that a human has not answered
    std::int64_t dead_letters = 0;
    std::int64_t held = 0;  ///< messages that a restore or another instance has held back
};

/// Costs what waits, not what is stored: every look is into an index of just that.
Result<Queues> read_queues(Database& db);

}  // namespace a2h::store
