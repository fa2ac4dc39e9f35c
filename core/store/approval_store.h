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

/// Errors: Conflict when the id exists or the job does not.
Result<void> insert_approval(Database& db, const Approval& approval);
Result<std::optional<Approval>> get_approval(Database& db, std::string_view id);
/// The open or approved-but-unexecuted approval of this agent with the same digest, if any: the
/// same call again must not ask twice.
Result<std::optional<Approval>> get_live_approval_by_digest(Database& db, std::string_view agent_id,
                                                            std::string_view digest);
/// The newest approval of any status with this digest.
Result<std::optional<Approval>> get_latest_approval_by_digest(Database& db,
                                                              std::string_view agent_id,
                                                              std::string_view digest);

/// Writes the answer iff the approval is still pending: the first answer wins.
/// Errors: NotFound; Conflict when it was answered before (the message says how and when).
Result<void> answer_approval(Database& db, const Approval& answered);

/// Moves an approved row from outcome None to Executing; the only way to use a yes, and only once.
/// Errors: NotFound; Conflict when it is not approved or already used.
Result<void> consume_approval(Database& db, std::string_view id, UnixMs now_ms);
/// Errors: NotFound; Conflict when it is not being executed (an Unknown one may still be settled).
Result<void> finish_approval(Database& db, std::string_view id, ApprovalOutcome outcome,
                             std::string_view detail, UnixMs now_ms);

/// Replaces draft, action and digest of a pending approval (edit before send); the code
/// and the link, which are derived from the digest, change with it.
/// Errors: NotFound; Conflict when it is no longer pending.
Result<void> replace_approval_action(Database& db, const Approval& edited);

/// Adds one to the failures of the code and returns the new number. Errors: NotFound.
Result<int> count_code_failure(Database& db, std::string_view id);

/// Newest first; only those with a smaller `number` than `before`. A page costs the same wherever
/// it begins.
Result<std::vector<Approval>> list_approvals(
    Database& db, std::string_view agent_id, std::optional<ApprovalStatus> status, int limit,
    std::int64_t before = std::numeric_limits<std::int64_t>::max());
/// Approved with outcome Executing: what a crash interrupted.
Result<std::vector<Approval>> executing_approvals(Database& db);
/// Approved with outcome None, i.e. released but not used yet.
Result<std::vector<Approval>> unused_approvals(Database& db);
/// Of one agent: pending, or approved and not used yet; oldest first.
Result<std::vector<Approval>> live_approvals(Database& db, std::string_view agent_id);
/// Of one agent, pending and about `peer_id`; oldest first.
Result<std::vector<Approval>> pending_about(Database& db, std::string_view agent_id,
                                            std::string_view peer_id);
/// The same about whoever sent the message `inbox_id`.
Result<std::vector<Approval>> pending_about_sender(Database& db, std::int64_t inbox_id);
/// What older questions the card of `id` tells of.
Result<void> put_also_text(Database& db, std::string_view id, std::string_view text);
/// Whatever waits for the answer to `from_id` waits for that to `to_id` from now on.
Result<void> move_references(Database& db, std::string_view from_id, std::string_view to_id);
/// True while a question waits about a message of the sender of `message`, as authentic as that or
/// not, that said something else than `text`.
Result<bool> has_other_question(Database& db, const InboxMessage& message, std::string_view text);
/// Pending rows past answer_by and approved unused rows past act_by.
Result<std::vector<Approval>> overdue_approvals(Database& db, UnixMs now_ms);
/// Pending, asked at or before `created_ms`, and not told to substitutes yet; oldest first.
Result<std::vector<Approval>> not_escalated(Database& db, UnixMs created_ms, int limit);
Result<void> mark_escalated(Database& db, std::string_view id, UnixMs now_ms);
/// Pending ones of all agents that an assistant asked for, nobody else.
Result<std::int64_t> count_open_of_assistants(Database& db);
Result<std::int64_t> count_pending_approvals(Database& db, std::string_view agent_id);
/// True while a question about `peer_id` waits for its answer.
Result<bool> has_pending_approval(Database& db, std::string_view agent_id,
                                  std::string_view peer_id);
/// Whether the peer of `question`, which is not stored yet, waits for another answer already. What
/// is not authentic counts for nobody in whose name it came.
Result<bool> has_earlier_question(Database& db, const Approval& question);

/// Appends a row linked to the one before it; the database itself refuses to change or delete one.
/// `detail_json` must be canonical. Errors: Conflict when the approval does not exist.
Result<void> append_audit(Database& db, std::string_view approval_id, std::string_view what,
                          std::string_view detail_json, UnixMs now_ms);
/// All rows, oldest first; empty `approval_id`: of everything.
Result<std::vector<AuditRow>> audit_rows(Database& db, std::string_view approval_id);
/// Oldest first; for reading all of them in parts.
Result<std::vector<AuditRow>> audit_rows_after(Database& db, std::int64_t after_id, int limit);

}  // namespace a2h::store
