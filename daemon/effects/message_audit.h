#pragma once

#include <string_view>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/domain/job.h"
#include "core/domain/outbox.h"
#include "core/store/database.h"

namespace a2h::effects {

// Audit rows about messages. They contain texts only as hashes.
//
// Errors:  those of the database.
// Thread:  the store writer, in the transaction of what the row reports.

/// "message.decided": what was received and which rule decided what about it, if nothing is sent
/// for it now. `approval_id` is the question that it became, or empty.
Result<void> audit_decision(store::Database& db, const Job& job, std::string_view approval_id,
                            UnixMs now_ms);

/// The end of a message of ours: `what` is "message.acknowledged" (the broker has it) or
/// "message.given_up". For a reply by rule the row also names what it answers.
Result<void> audit_end(store::Database& db, const OutboxMessage& message, std::string_view what,
                       UnixMs now_ms);

}  // namespace a2h::effects
