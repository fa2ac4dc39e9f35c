#pragma once

#include <cstdint>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/store/database.h"

namespace a2h::store {

/// The kinds of data that can be deleted, each in the order of its rows.
enum class Forgettable {
    Incoming,  ///< texts of received messages; the rows stay, so that duplicates are recognised
    Outgoing,  ///< texts of sent messages
    Events,    ///< rows
    Deals,     ///< deals that have ended without an agreement or with their order; their acts
    Notifications,  ///< rows that were delivered, given up or not needed
};

/// One step through the rows of a kind.
struct ForgetStep {
    std::int64_t last_id = 0;  ///< position for the next step
    std::int64_t forgotten = 0;
    bool is_last = false;  ///< no older row is left
};

/// Examines the next `limit` rows after `after_id` that are older than `before_ms`, and deletes
/// what is settled. It never deletes anything open: undecided jobs, jobs that wait for a human or a
/// stage, rows that are queued, held or dead, and what was said with a peer while a bargain or an
/// assignment with it is open. Approvals, mandates and the audit are always kept. Call inside a
/// transaction of the writer.
///
/// Errors:  those of the database.
/// Thread:  the store writer.
Result<ForgetStep> forget_some(Database& db, Forgettable kind, std::int64_t after_id,
                               UnixMs before_ms, int limit);

}  // namespace a2h::store
