#pragma once

#include <string_view>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/store/database.h"

namespace a2h::mail {

// Messages that another instance of an agent may have answered: the a2hd that held the agent's
// lease before this one, or this home after the time of a restored backup. The market's history
// delivers such messages; they are stored and left to the human.
//
// Errors:  those of the database.
// Source:  docs/operations.md, "After a restore" and "Two machines".

/// A message of the history may have been answered by another instance if it was sent before this
/// time. 0: none may.
///
/// Thread:  as `db`.
Result<UnixMs> other_instance_before(store::Database& db, std::string_view agent_id);

/// Sets the time to `before_ms`; an empty `agent_id` means every agent of the home. An earlier time
/// changes nothing.
///
/// Thread:  the store writer, inside a transaction.
Result<void> set_other_instance_before(store::Database& db, std::string_view agent_id,
                                       UnixMs before_ms);

/// Whether messages of that time may be missing: no complete fetch of the history has covered it.
///
/// Thread:  as `db`.
Result<bool> is_other_instance_unread(store::Database& db, std::string_view agent_id);

/// Whether a complete fetch of the history has ever ended. Before that, messages may be missing
/// that were sent before the agent was connected for the first time.
///
/// Thread:  as `db`.
Result<bool> is_history_read(store::Database& db, std::string_view agent_id);

/// Notes that a complete fetch has covered what was sent before `before_ms`.
///
/// Thread:  the store writer.
Result<void> set_other_instance_read(store::Database& db, std::string_view agent_id,
                                     UnixMs before_ms);

/// The rule id of the jobs of such messages.
inline constexpr std::string_view kOtherInstanceRule = "guard.elsewhere";

}  // namespace a2h::mail
