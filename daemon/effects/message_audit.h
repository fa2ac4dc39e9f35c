#pragma once

#include <string_view>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/domain/job.h"
#include "core/domain/outbox.h"
#include "core/store/database.h"

namespace a2h::effects {

// Rows of the audit about messages; texts are in it as hashes only. Thread: the store writer, in
// the transaction that does what the row tells.

/// What came in and what was decided about it, by which rule, when nothing is sent for it now:
/// "message.decided". `approval_id`: of the question it became; empty: of none.
Result<void> audit_decision(store::Database& db, const Job& job, std::string_view approval_id,
                            UnixMs now_ms);

/// What became of a message of ours: `what` is "message.acknowledged" (the broker has it) or
/// "message.given_up". For a reply by rule it tells what it answers, too.
Result<void> audit_end(store::Database& db, const OutboxMessage& message, std::string_view what,
                       UnixMs now_ms);

}  // namespace a2h::effects
