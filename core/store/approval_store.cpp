#include "core/store/approval_store.h"

#include "core/base/time_text.h"
#include "core/store/json_list.h"
#include "core/store/statement.h"

namespace a2h::store {
namespace {

// A macro, because statements are constants that are joined by the compiler.
#define A2H_APPROVAL_SELECT                                                                 \
    "select id, agent_id, peer_id, coalesce(task_id, 0), action, action_json, digest, "     \
    "question, context, options_json, reply_text, reject_text, amount_minor, currency, "    \
    "provenance, requested_by, status, outcome, outcome_detail, answer_text, answered_by, " \
    "surface, code_failures, created_at_ms, answer_by_ms, act_by_ms, answered_at_ms, "      \
    "number, priority, asked_by, votes_needed, voters_json, escalated_at_ms, peer_text, "   \
    "closed_by, next_id, since_text, also_text, seen_inbox_id from approval "

void read_question(Row& row, Approval& approval) {
    approval.id = row.text(0);
    approval.agent_id = row.text(1);
    approval.peer_id = row.text(2);
    approval.task_id = row.integer(3);
    approval.action = row.text(4);
    approval.action_json = row.text(5);
    approval.digest = row.text(6);
    approval.question = row.text(7);
    approval.context = row.text(8);
    approval.options = parse_json_list(row.text(9));
    approval.reply_text = row.text(10);
    approval.reject_text = row.text(11);
    if (!row.is_null(12)) approval.amount_minor = row.integer(12);
    approval.currency = row.text(13);
    approval.provenance = row.text(14);
    approval.requested_by = row.text(15);
}

Approval read_approval(Row& row) {
    Approval approval;
    read_question(row, approval);
    approval.status = row.name(16, parse_approval_status);
    approval.outcome = row.name(17, parse_approval_outcome);
    approval.outcome_detail = row.text(18);
    approval.answer_text = row.text(19);
    approval.answered_by = row.text(20);
    if (!row.is_null(21)) approval.surface = row.name(21, parse_answer_surface);
    approval.code_failures = row.small(22);
    approval.created_at_ms = row.integer(23);
    approval.answer_by_ms = row.integer(24);
    approval.act_by_ms = row.integer(25);
    approval.answered_at_ms = row.integer(26);
    approval.number = row.integer(27);
    approval.priority = row.name(28, parse_priority);
    approval.asked_by = row.text(29);
    approval.votes_needed = row.small(30);
    approval.voters = parse_json_list(row.text(31));
    approval.escalated_at_ms = row.integer(32);
    approval.peer_text = row.text(33);
    if (!row.is_null(34)) approval.closed_by = row.name(34, parse_closed_by);
    approval.next_id = row.text(35);
    approval.since_text = row.text(36);
    approval.also_text = row.text(37);
    approval.seen_inbox_id = row.integer(38);
    return approval;
}

OrNull surface_name(const Approval& approval) {
    return OrNull{approval.surface ? to_string(*approval.surface) : std::string_view{}};
}

/// The stored row, for saying why a step did not happen.
Result<Approval> stored(Database& db, std::string_view id) {
    A2H_ASSIGN_OR_RETURN(auto found, get_approval(db, id));
    if (!found) return fail(ErrorCode::NotFound, "no approval " + std::string(id));
    return std::move(*found);
}

Unexpected not_pending(Database& db, std::string_view id) {
    A2H_ASSIGN_OR_RETURN(const auto approval, stored(db, id));
    return fail(ErrorCode::Conflict,
                "approval " + approval.id + " was " + std::string(to_string(approval.status)) +
                    " at " + to_utc_time(approval.answered_at_ms) + " by " + approval.answered_by +
                    (approval.surface ? " (" + std::string(to_string(*approval.surface)) + ")"
                                      : std::string()));
}

Unexpected wrong_outcome(Database& db, std::string_view id) {
    A2H_ASSIGN_OR_RETURN(const auto approval, stored(db, id));
    return fail(ErrorCode::Conflict,
                "approval " + approval.id + " is " + std::string(to_string(approval.status)) +
                    ", its outcome " + std::string(to_string(approval.outcome)));
}

}  // namespace

Result<void> insert_approval(Database& db, const Approval& approval) {
    static constexpr const char* kSql =
        "insert into approval (id, agent_id, peer_id, task_id, action, action_json, digest, "
        "question, context, options_json, reply_text, reject_text, amount_minor, currency, "
        "provenance, requested_by, status, outcome, outcome_detail, answer_text, answered_by, "
        "surface, code_failures, created_at_ms, answer_by_ms, act_by_ms, answered_at_ms, "
        "updated_at_ms, priority, asked_by, votes_needed, voters_json, peer_text, since_text, "
        "also_text, seen_inbox_id) values (?1, ?2, "
        "?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, "
        "?22, ?23, ?24, ?25, ?26, ?27, ?24, ?28, ?29, ?30, ?31, ?32, ?33, ?34, ?35)";
    const std::optional<std::int64_t> task_id =
        approval.task_id != 0 ? std::optional(approval.task_id) : std::nullopt;
    return db.statement(kSql).run(
        approval.id, approval.agent_id, approval.peer_id, task_id, approval.action,
        approval.action_json, approval.digest, approval.question, approval.context,
        to_json_list(approval.options), approval.reply_text, approval.reject_text,
        approval.amount_minor, approval.currency, approval.provenance, approval.requested_by,
        to_string(approval.status), to_string(approval.outcome), approval.outcome_detail,
        approval.answer_text, approval.answered_by, surface_name(approval), approval.code_failures,
        approval.created_at_ms, approval.answer_by_ms, approval.act_by_ms, approval.answered_at_ms,
        to_string(approval.priority), approval.asked_by, approval.votes_needed,
        to_json_list(approval.voters), approval.peer_text, approval.since_text, approval.also_text,
        approval.seen_inbox_id);
}

Result<std::optional<Approval>> get_approval(Database& db, std::string_view id) {
    static constexpr const char* kSql = A2H_APPROVAL_SELECT "where id = ?";
    return db.statement(kSql).first(read_approval, id);
}

Result<std::optional<Approval>> get_live_approval_by_digest(Database& db, std::string_view agent_id,
                                                            std::string_view digest) {
    static constexpr const char* kSql = A2H_APPROVAL_SELECT
        "indexed by approval_digest where agent_id = ? and digest = ? "
        "and (status = 'pending' or (status = 'approved' "
        "and outcome in ('none', 'executing'))) order by number desc limit 1";
    return db.statement(kSql).first(read_approval, agent_id, digest);
}

Result<std::optional<Approval>> get_latest_approval_by_digest(Database& db,
                                                              std::string_view agent_id,
                                                              std::string_view digest) {
    static constexpr const char* kSql =
        A2H_APPROVAL_SELECT "where agent_id = ? and digest = ? order by number desc limit 1";
    return db.statement(kSql).first(read_approval, agent_id, digest);
}

Result<void> answer_approval(Database& db, const Approval& answered) {
    static constexpr const char* kSql =
        "update approval set status = ?2, answer_text = ?3, answered_by = ?4, surface = ?5, "
        "answered_at_ms = ?6, updated_at_ms = ?6, closed_by = ?7, next_id = ?8 where id = ?1 "
        "and status = 'pending'";
    Statement& update = db.statement(kSql);
    const OrNull closed_by{answered.closed_by ? to_string(*answered.closed_by)
                                              : std::string_view{}};
    A2H_TRY(update.run(answered.id, to_string(answered.status), answered.answer_text,
                       answered.answered_by, surface_name(answered), answered.answered_at_ms,
                       closed_by, answered.next_id));
    if (update.changes() == 1) return {};
    return not_pending(db, answered.id);
}

Result<void> consume_approval(Database& db, std::string_view id, UnixMs now_ms) {
    static constexpr const char* kSql =
        "update approval set outcome = 'executing', updated_at_ms = ?2 "
        "where id = ?1 and status = 'approved' and outcome = 'none'";
    Statement& update = db.statement(kSql);
    A2H_TRY(update.run(id, now_ms));
    if (update.changes() == 1) return {};
    return wrong_outcome(db, id);
}

Result<void> finish_approval(Database& db, std::string_view id, ApprovalOutcome outcome,
                             std::string_view detail, UnixMs now_ms) {
    static constexpr const char* kSql =
        "update approval set outcome = ?2, outcome_detail = ?3, updated_at_ms = ?4 "
        "where id = ?1 and status = 'approved' and outcome in ('executing', 'unknown')";
    Statement& update = db.statement(kSql);
    A2H_TRY(update.run(id, to_string(outcome), detail, now_ms));
    if (update.changes() == 1) return {};
    return wrong_outcome(db, id);
}

Result<void> replace_approval_action(Database& db, const Approval& edited) {
    static constexpr const char* kSql =
        "update approval set action_json = ?2, digest = ?3, reply_text = ?4, reject_text = ?5, "
        "amount_minor = ?6, currency = ?7, asked_by = ?8 where id = ?1 and status = 'pending'";
    Statement& update = db.statement(kSql);
    A2H_TRY(update.run(edited.id, edited.action_json, edited.digest, edited.reply_text,
                       edited.reject_text, edited.amount_minor, edited.currency, edited.asked_by));
    if (update.changes() == 1) return {};
    return not_pending(db, edited.id);
}

Result<int> count_code_failure(Database& db, std::string_view id) {
    static constexpr const char* kSql =
        "update approval set code_failures = code_failures + 1 where id = ?";
    A2H_TRY(db.statement(kSql).run(id));
    A2H_ASSIGN_OR_RETURN(const auto approval, stored(db, id));
    return approval.code_failures;
}

Result<std::vector<Approval>> list_approvals(Database& db, std::string_view agent_id,
                                             std::optional<ApprovalStatus> status, int limit,
                                             std::int64_t before) {
    static constexpr const char* kAll =
        A2H_APPROVAL_SELECT "where agent_id = ? and number < ? order by number desc limit ?";
    static constexpr const char* kOfStatus = A2H_APPROVAL_SELECT
        "where agent_id = ? and status = ? and number < ? order by number desc limit ?";
    if (!status) return db.statement(kAll).all(read_approval, agent_id, before, limit);
    return db.statement(kOfStatus).all(read_approval, agent_id, to_string(*status), before, limit);
}

Result<std::vector<Approval>> executing_approvals(Database& db) {
    static constexpr const char* kSql =
        A2H_APPROVAL_SELECT "where status = 'approved' and outcome = 'executing' order by number";
    return db.statement(kSql).all(read_approval);
}

Result<std::vector<Approval>> unused_approvals(Database& db) {
    static constexpr const char* kSql =
        A2H_APPROVAL_SELECT "where status = 'approved' and outcome = 'none' order by number";
    return db.statement(kSql).all(read_approval);
}

Result<std::vector<Approval>> live_approvals(Database& db, std::string_view agent_id) {
    static constexpr const char* kSql = A2H_APPROVAL_SELECT
        "where agent_id = ? and (status = 'pending' or (status = 'approved' and outcome = 'none')) "
        "order by number";
    return db.statement(kSql).all(read_approval, agent_id);
}

Result<std::vector<Approval>> pending_about(Database& db, std::string_view agent_id,
                                            std::string_view peer_id) {
    static constexpr const char* kSql = A2H_APPROVAL_SELECT
        "where agent_id = ? and status = 'pending' and peer_id = ? order by number";
    return db.statement(kSql).all(read_approval, agent_id, peer_id);
}

Result<std::vector<Approval>> pending_about_sender(Database& db, std::int64_t inbox_id) {
    static constexpr const char* kSql = A2H_APPROVAL_SELECT
        "where status = 'pending' and (agent_id, peer_id) = "
        "(select agent_id, peer_id from task where inbox_id = ?) order by number";
    return db.statement(kSql).all(read_approval, inbox_id);
}

Result<void> put_also_text(Database& db, std::string_view id, std::string_view text) {
    static constexpr const char* kSql = "update approval set also_text = ?2 where id = ?1";
    return db.statement(kSql).run(id, text);
}

Result<void> move_references(Database& db, std::string_view from_id, std::string_view to_id) {
    static constexpr const char* kInvitation =
        "update invitation set approval_id = ?2 where approval_id = ?1 and approval_id <> ''";
    static constexpr const char* kDeed = "update deed set approval_id = ?2 where approval_id = ?1";
    A2H_TRY(db.statement(kInvitation).run(from_id, to_id));
    return db.statement(kDeed).run(from_id, to_id);
}

Result<bool> has_other_question(Database& db, const InboxMessage& message, std::string_view text) {
    static constexpr const char* kSql =
        "select exists (select 1 from approval where status = 'pending' and agent_id = ? "
        "and peer_id = ? and task_id is not null and peer_text <> ? "
        "and (provenance in ('verified', 'vouched')) = ?)";
    A2H_ASSIGN_OR_RETURN(const auto found,
                         db.statement(kSql).number(message.agent_id, message.sender_id, text,
                                                   is_authentic(message.provenance)));
    return found != 0;
}

Result<std::vector<Approval>> overdue_approvals(Database& db, UnixMs now_ms) {
    static constexpr const char* kUnanswered =
        A2H_APPROVAL_SELECT "where status = 'pending' and answer_by_ms <= ? order by number";
    static constexpr const char* kUnused = A2H_APPROVAL_SELECT
        "where status = 'approved' and outcome = 'none' and act_by_ms <= ? "
        "order by number";
    auto overdue = db.statement(kUnanswered).all(read_approval, now_ms);
    if (!overdue) return overdue;
    auto unused = db.statement(kUnused).all(read_approval, now_ms);
    if (!unused) return unused;
    for (Approval& approval : *unused)
        overdue->push_back(std::move(approval));
    return overdue;
}

Result<std::vector<Approval>> not_escalated(Database& db, UnixMs created_ms, int limit) {
    static constexpr const char* kSql = A2H_APPROVAL_SELECT
        "where status = 'pending' and escalated_at_ms = 0 and created_at_ms <= ? "
        "order by created_at_ms limit ?";
    return db.statement(kSql).all(read_approval, created_ms, limit);
}

Result<void> mark_escalated(Database& db, std::string_view id, UnixMs now_ms) {
    static constexpr const char* kSql = "update approval set escalated_at_ms = ?2 where id = ?1";
    return db.statement(kSql).run(id, now_ms);
}

Result<std::int64_t> count_open_of_assistants(Database& db) {
    static constexpr const char* kSql =
        "select count(*) from approval where status = 'pending' and asked_by = '' "
        "and (requested_by glob 'tool:*' or requested_by glob 'approval:*')";
    return db.statement(kSql).number();
}

Result<std::int64_t> count_pending_approvals(Database& db, std::string_view agent_id) {
    static constexpr const char* kSql =
        "select count(*) from approval where agent_id = ? and status = 'pending'";
    return db.statement(kSql).number(agent_id);
}

Result<bool> has_pending_approval(Database& db, std::string_view agent_id,
                                  std::string_view peer_id) {
    static constexpr const char* kSql =
        "select exists (select 1 from approval where status = 'pending' and agent_id = ? "
        "and peer_id = ?)";
    A2H_ASSIGN_OR_RETURN(const auto found, db.statement(kSql).number(agent_id, peer_id));
    return found != 0;
}

Result<bool> has_earlier_question(Database& db, const Approval& question) {
    static constexpr const char* kSql =
        "select exists (select 1 from approval where status = 'pending' and agent_id = ?1 "
        "and peer_id = ?2 and (?3 = 'unverified' or provenance <> 'unverified'))";
    A2H_ASSIGN_OR_RETURN(
        const auto found,
        db.statement(kSql).number(question.agent_id, question.peer_id, question.provenance));
    return found != 0;
}

}  // namespace a2h::store
