#pragma once

#include <cstdint>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/store/database.h"

namespace a2h::store {

/// Rows of a restored database that must not act by themselves.
struct SetAside {
    std::int64_t held = 0;       ///< queued outgoing messages
    std::int64_t approvals = 0;  ///< open or unused approvals
    std::int64_t unsettled = 0;  ///< actions that were being carried out
    std::int64_t mandates = 0;
    std::int64_t bargains = 0;
    std::int64_t jobs = 0;  ///< undecided messages
};

/// Prepares a restored database so that nothing that has happened since the backup happens twice:
/// queued outgoing messages are held, open approvals expire, unused ones and mandates end, actions
/// in progress become unknown, undecided messages are left to the human, and pending notifications
/// are dropped. History is not changed; an audit row records what was done. Call inside a
/// transaction, before the database is served.
///
/// Errors:  those of the database.
/// Source:  docs/operations.md, "After a restore".
Result<SetAside> set_aside_open_things(Database& db, UnixMs now_ms);

}  // namespace a2h::store
