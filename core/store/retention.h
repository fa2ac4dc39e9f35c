#pragma once

#include <cstdint>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/store/database.h"

namespace a2h::store {

/// What can be forgotten, each in the order of its rows.
enum class Forgettable {
    Incoming,       ///< the words of messages that came: the rows stay, so that none comes twice
    Outgoing,       ///< the words of messages that left
    Events,         ///< rows
    Notifications,  ///< rows that were told, given up or not needed
};

/// One step through the rows of a kind.
struct ForgetStep {
    std::int64_t last_id = 0;  ///< where the next step begins
    std::int64_t forgotten = 0;
    bool is_last = false;  ///< no older row is left
};

/// Looks at the next `limit` rows after `after_id` that are older than `before_ms`, and forgets
/// what is settled. Never anything open: undecided jobs, jobs that wait for a human or are with
/// the stages, what is queued, held or dead, and whatever was said with a peer while a bargain
/// or an assignment with it is not over. Approvals, mandates and the audit are always kept.
/// Call inside a transaction of the writer.
Result<ForgetStep> forget_some(Database& db, Forgettable kind, std::int64_t after_id,
                               UnixMs before_ms, int limit);

}  // namespace a2h::store
