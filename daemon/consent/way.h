#pragma once

#include <string_view>

#include "daemon/consent/approvals.h"

namespace a2h::consent {

// The last steps of a question, for the rooms that carry out what was approved. The other steps are
// declared in approvals.h; way.cpp contains all of them from top to bottom.
//
// Thread:  the store writer, inside the caller's transaction.

/// Uses the yes, does what the row of the action says (`ActionRow::carry_out`) and records the
/// outcome. A failure that no retry would change is an outcome, unless `all_or_nothing`.
///
/// Errors:  all other failures; then the yes remains unused.
Result<void> carry_out(store::Database& db, const Approval& approval, bool all_or_nothing,
                       const Policy& policy, UnixMs now_ms);

/// Records what became of an approved action, with an audit row and the event "approval.executed",
/// whatever the outcome is. People are notified of a failed or unknown one.
///
/// Errors:  NotFound; Conflict if it is not being carried out; those of the store.
Result<void> record_outcome(store::Database& db, const Approval& approval, ApprovalOutcome outcome,
                            std::string_view detail, const Policy& policy, UnixMs now_ms);
/// Records that what was executed has failed after all, because its message never left; nothing if
/// it was not executed.
///
/// Errors:  those of the store.
Result<void> take_back(store::Database& db, const Approval& approval, std::string_view why,
                       UnixMs now_ms);

}  // namespace a2h::consent
