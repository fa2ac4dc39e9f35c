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

namespace a2h::house {

// What our agents do about tasks and introductions, with its own side of the story. Everything is
// written in the caller's transaction. Thread: the store writer, unless said otherwise.

/// The action of an approval that takes on a task that an agent elsewhere offers.
constexpr std::string_view kAcceptTask = "task.accept";

/// Puts a message into the outbox together with what it changes for its sender: a task that it
/// gives, reports on or calls off, an introduction that it asks for or answers, an entry of the
/// task that it names. Messages of other types just go.
///
/// Whoever gave a task takes it back with a status_report of status "cancelled".
/// Errors: InvalidArgument `invalid_message_format` when the payload is none of its type;
/// Conflict for a task id that is used, or a task that has ended or is only offered; NotFound
/// for a report about a task that the sender does not have with the target.
Result<store::OutboxPlace> queue_mail(store::Database& db, const OutboxMessage& message);

/// `queue_mail` of a task_assignment to an agent of this house that may spend for it: a share of
/// one of the sender's mandates is cut for it (`mandates::cut_share`), and `message` names it. The
/// share ends with the task. Errors: also those of `cut_share`.
Result<store::OutboxPlace> queue_assignment(store::Database& db, OutboxMessage& message,
                                            const std::string& mandate_json);

/// Evaluations and retries of a reply go into the story of the task that the message names which is
/// replied to, if there is such a task.
Result<void> tell_of_stages(store::Database& db, const StageCase& of,
                            const std::vector<StageMessage>& messages);

/// Adds an entry to the story of a task; see `AssignmentEntry`.
Result<void> tell_story(store::Database& db, const Assignment& task, std::string_view kind,
                        std::string_view message_id, const nlohmann::json& detail, UnixMs now_ms);

/// As `end_task`, but nobody is told: whoever ends a task knows that it has ended.
Result<void> end_own_side(store::Database& db, Assignment task, AssignmentState state,
                          const nlohmann::json& outcome, std::string_view message_id,
                          UnixMs now_ms);

/// Moves `task` to its end, with story entry and event "task.ended"; of what the owner's own agents
/// gave, the human is told unless it is they who end it. Errors: those of `move_assignment`.
Result<void> end_task(store::Database& db, Assignment task, AssignmentState state,
                      const nlohmann::json& outcome, std::string_view message_id,
                      const consent::Policy& policy, UnixMs now_ms);

/// Ends a task for both: at once where giver and worker are of this house, else the other one is
/// sent a status_report: "cancelled" by the giver, "failed" by the worker. `why` is for them.
/// Nothing when it has ended.
Result<void> cancel_task(store::Database& db, const Assignment& task, const std::string& why,
                         const consent::Policy& policy, UnixMs now_ms);

/// Tells consent what follows a yes and a no to what an agent elsewhere asks for. With a yes an
/// offered task is open and its giver is told. Without one the task is declined, a wanted
/// introduction refused, and after a no the agent is told. Before other threads start.
void register_actions();

/// A message of ours of one of the agent message types, ready for `queue_mail`.
/// Thread: any.
OutboxMessage new_mail(std::string_view agent_id, std::string_view target_id,
                       std::string_view message_type, const nlohmann::json& payload,
                       std::string_view cause, UnixMs now_ms);

}  // namespace a2h::house
