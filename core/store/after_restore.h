#pragma once

#include <cstdint>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/store/database.h"

namespace a2h::store {

/// What a database from the past must not do by itself, in rows.
struct SetAside {
    std::int64_t held = 0;       ///< outgoing messages that were queued
    std::int64_t approvals = 0;  ///< open or unused ones
    std::int64_t unsettled = 0;  ///< actions that were under way
    std::int64_t mandates = 0;
    std::int64_t bargains = 0;
    std::int64_t jobs = 0;  ///< messages that were not decided yet
};

/// Takes from a database that was restored what may have happened since it was saved, so that
/// nothing happens twice: queued outgoing messages are held, open approvals expire, unused ones and
/// mandates end, what was being executed is unknown, undecided messages are left to the human, and
/// what was to be notified is not. History stays as it is; an audit row says what was done.
/// Call inside a transaction, before anybody serves the database.
/// Source: docs/operations.md, "After a restore".
Result<SetAside> set_aside_open_things(Database& db, UnixMs now_ms);

}  // namespace a2h::store
