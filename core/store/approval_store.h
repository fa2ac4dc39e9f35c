#pragma once

#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/domain/approval.h"
#include "core/domain/message.h"
#include "core/store/database.h"

namespace a2h::store {

// Errors:  those of the database, besides those that a function names.
// Thread:  that of `db`.

/// Errors:  Conflict if the id exists or the job does not.
Result<void> insert_approval(Database& db, const Approval& approval);
Result<std::optional<Approval>> get_approval(Database& db, std::string_view id);
/// The open or approved but not executed approval of this agent with the same digest, if any: a
/// repeated call must not ask twice.
Result<std::optional<Approval>> get_live_approval_by_digest(Database& db, std::string_view agent_id,
                                                            std::string_view digest);
/// The newest approval of any status with this digest.
Result<std::optional<Approval>> get_latest_approval_by_digest(Database& db,
                                                              std::string_view agent_id,
                                                              std::string_view digest);
/// Whether a yes that was asked for after `earlier`, by the same agent for an action whose name
/// begins with `prefix`, was carried out or may have been.
Result<bool> has_done_since(Database& db, const Approval& earlier, std::string_view prefix);
/// Returns the outcomes of the newest `limit` other approvals of the same agent and action, joined,
/// to see what those created.
Result<std::string> outcomes_of_others(Database& db, const Approval& approval, int limit);
/// The actions of this agent that were carried out at `since_ms` or later, or may have been.
Result<std::vector<std::string>> actions_done_since(Database& db, std::string_view agent_id,
                                                    UnixMs since_ms);

/// Writes the answer if the approval is still pending, so the first answer counts.
///
/// Errors:  NotFound; Conflict if it was answered before (the message says how and when).
Result<void> answer_approval(Database& db, const Approval& answered);

/// Changes the outcome of an approved row from None to Executing. This is the only way to use a
/// yes, and works only once.
///
/// Errors:  NotFound; Conflict if it is not approved or was already used.
Result<void> consume_approval(Database& db, std::string_view id, UnixMs now_ms);
/// Errors:  NotFound; Conflict if it is not being executed (an Unknown one may still be settled).
Result<void> finish_approval(Database& db, std::string_view id, ApprovalOutcome outcome,
                             std::string_view detail, UnixMs now_ms);
/// Changes the outcome of what was executed to Failed, because its message never left. False if it
/// was not executed.
Result<bool> take_back_approval(Database& db, std::string_view id, std::string_view detail,
                                UnixMs now_ms);

/// The opposite: the message that never left is queued again. False if the outcome is not Failed.
Result<bool> resume_approval(Database& db, std::string_view id, std::string_view detail,
                             UnixMs now_ms);

/// Replaces draft, action, digest and voters of a pending approval (edit before sending). Code and
/// link change as well, because they are derived from the digest.
///
/// Errors:  NotFound; Conflict if it is no longer pending.
Result<void> replace_approval_action(Database& db, const Approval& edited);

/// Increments the number of failures of the code and returns it.
///
/// Errors:  NotFound.
Result<int> count_code_failure(Database& db, std::string_view id);

/// The approvals with a smaller `number` than `before`, newest first. Every page takes the same
/// time. An empty `agent_id` means all agents.
Result<std::vector<Approval>> list_approvals(
    Database& db, std::string_view agent_id, std::optional<ApprovalStatus> status, int limit,
    std::int64_t before = std::numeric_limits<std::int64_t>::max());
/// The approved ones with outcome Executing, which a crash has interrupted.
Result<std::vector<Approval>> executing_approvals(Database& db);
/// The approved ones with outcome None, whose yes has not been used yet.
Result<std::vector<Approval>> unused_approvals(Database& db);
/// The approvals of an agent that are pending, or approved and not used yet; oldest first.
Result<std::vector<Approval>> live_approvals(Database& db, std::string_view agent_id);
/// The pending approvals of an agent about `peer_id`, oldest first.
Result<std::vector<Approval>> pending_about(Database& db, std::string_view agent_id,
                                            std::string_view peer_id);
/// The pending approvals about the sender of the message `inbox_id`, oldest first.
Result<std::vector<Approval>> pending_about_sender(Database& db, std::int64_t inbox_id);
/// The approved questions whose action or result names `id`: a listing, an order, a request for
/// proposals. Of all agents, newest first.
Result<std::vector<Approval>> approved_about(Database& db, std::string_view id, int limit);
/// Sets the older questions that the card of `id` mentions.
Result<void> put_also_text(Database& db, std::string_view id, std::string_view text);
/// From now on, everything that waits for the answer to `from_id` waits for that to `to_id`.
Result<void> move_references(Database& db, std::string_view from_id, std::string_view to_id);
/// True if `message`, whose `text` its sender has sent before, is more than a repetition: since
/// then the sender has withdrawn or sent something else that was not merely answered or ignored, a
/// question about something else waits, the question about `text` was closed by a withdrawal, or
/// we have made a counter-offer in a bargain that goes on.
/// Only messages that are as authentic as `message` count, and questions about such messages.
Result<bool> has_moved_on(Database& db, const InboxMessage& message, std::string_view text);
/// The pending approvals after their answer-by time, and the unused yeses after their act-by time.
Result<std::vector<Approval>> overdue_approvals(Database& db, UnixMs now_ms);
/// The pending approvals that were asked at or before `created_ms` and whose substitutes were not
/// notified yet; oldest first.
Result<std::vector<Approval>> not_escalated(Database& db, UnixMs created_ms, int limit);
Result<void> mark_escalated(Database& db, std::string_view id, UnixMs now_ms);
/// The number of pending approvals of all agents that only an assistant asked for.
Result<std::int64_t> count_open_of_assistants(Database& db);
Result<std::int64_t> count_pending_approvals(Database& db, std::string_view agent_id);
/// True while a question about `peer_id` is open.
Result<bool> has_pending_approval(Database& db, std::string_view agent_id,
                                  std::string_view peer_id);
/// Whether the peer of `question`, which is not stored yet, already waits for another answer.
/// Messages that are not authentic do not count for the agent that they name.
Result<bool> has_earlier_question(Database& db, const Approval& question);

/// Appends a row linked to the previous one; the database itself refuses to change or delete rows.
/// `detail_json` must be canonical.
///
/// Errors:  Conflict if the approval does not exist.
Result<void> append_audit(Database& db, std::string_view approval_id, std::string_view what,
                          std::string_view detail_json, UnixMs now_ms);
/// The audit rows of an approval, oldest first; an empty `approval_id` means all approvals.
Result<std::vector<AuditRow>> audit_rows(Database& db, std::string_view approval_id);
/// The audit rows about the giving, sharing and revoking of a mandate, oldest first.
Result<std::vector<AuditRow>> audit_of_mandate(Database& db, std::string_view mandate_id);
/// The audit rows after the row `after_id`, oldest first, for reading all rows in parts.
Result<std::vector<AuditRow>> audit_rows_after(Database& db, std::int64_t after_id, int limit);

}  // namespace a2h::store
