#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/domain/approval.h"
#include "core/domain/assignment.h"
#include "core/domain/outbox.h"
#include "core/domain/stage_case.h"
#include "core/store/database.h"
#include "core/store/outbox_store.h"
#include "daemon/consent/approvals.h"

namespace a2h::agents {

// The actions of our agents about tasks and introductions, with their own side of the history.
// Everything is written in the caller's transaction.
//
// Errors:  those of the store, besides the ones named.
// Thread:  the store writer, unless stated otherwise.

/// The action of an approval that accepts a task offered by an agent of another home.
constexpr std::string_view kAcceptTask = "task.accept";

/// Puts a message into the outbox together with what it changes for its sender: a task that it
/// gives, reports on or cancels, an introduction that it requests or answers, a history entry of
/// the task that it names. Messages of other types change nothing.
///
/// The giver of a task cancels it with a status_report of status "cancelled".
///
/// Errors:  InvalidArgument `invalid_message_format` if the payload does not fit its type; Conflict
///          for a task id that is in use, or a task that has ended or is only offered; NotFound for
///          a report about a task that the sender does not have with the target.
Result<store::OutboxPlace> queue_mail(store::Database& db, const OutboxMessage& message);

/// `queue_mail` for a task_assignment to an agent of this home that may spend money for it: a share
/// of one of the sender's mandates is created (`mandates::cut_share`), and `message` names it. The
/// share ends with the task.
///
/// Errors:  also those of `cut_share`.
Result<store::OutboxPlace> queue_assignment(store::Database& db, OutboxMessage& message,
                                            const std::string& mandate_json);

/// Writes evaluations and retries of a reply into the history of the task that the answered message
/// names, if there is one.
Result<void> add_stages_to_history(store::Database& db, const StageCase& of,
                                   const std::vector<StageMessage>& messages);

/// Adds an entry to the history of a task; see `AssignmentEntry`.
Result<void> add_to_history(store::Database& db, const Assignment& task, std::string_view kind,
                            std::string_view message_id, const nlohmann::json& detail,
                            UnixMs now_ms);

/// Ends `task` as `end_task` does, but notifies nobody, because the caller knows that it has ended.
///
/// Errors:  those of `move_assignment`.
Result<void> end_own_side(store::Database& db, Assignment task, AssignmentState state,
                          const nlohmann::json& outcome, std::string_view message_id,
                          UnixMs now_ms);

/// Ends `task`, with a history entry and the event "task.ended". For a task that one of the owner's
/// own agents gave, the human is notified unless they ended it themselves.
///
/// Errors:  those of `move_assignment`.
Result<void> end_task(store::Database& db, Assignment task, AssignmentState state,
                      const nlohmann::json& outcome, std::string_view message_id,
                      const consent::Policy& policy, UnixMs now_ms);

/// Ends a task for both sides: at once if giver and worker are of this home; otherwise the other
/// side is sent a status_report, "cancelled" by the giver or "failed" by the worker, with this
/// `cause`. `why` is for them. Does nothing if the task has ended.
Result<void> cancel_task(store::Database& db, const Assignment& task, const std::string& why,
                         const std::string& cause, const consent::Policy& policy, UnixMs now_ms);

/// Registers what follows a yes and a no to a request of an agent of another home. After a yes an
/// offered task is open and its giver is informed. Without one the task is declined or the
/// introduction refused, and after a no the agent is informed. Call before other threads start.
void register_actions();

}  // namespace a2h::agents
