#include "core/store/approval_store.h"

#include "core/base/time_text.h"
#include "core/store/statement.h"

namespace a2h::store {
namespace {

constexpr int kClosedReadMax = 200;    // of one agent, the newest
constexpr int kMessagesReadMax = 200;  // of one peer, the newest

constexpr auto kApproval = sql::table<Approval>(
    "approval",
    A2H_COLUMNS(Approval, id, agent_id, peer_id, action, action_json, digest, question, context,
                reply_text, reject_text, amount_minor, currency, provenance, requested_by,
                outcome_detail, answer_text, answered_by, code_failures, created_at_ms,
                answer_by_ms, act_by_ms, answered_at_ms, number, asked_by, votes_needed,
                escalated_at_ms, peer_text, next_id, since_text, also_text, seen_inbox_id,
                seen_other_id, seen_read_ms, unsent),
    sql::column("job_id", &Approval::job_id, sql::NullIfZero{}),
    sql::column("options_json", &Approval::options),
    sql::column("peer_ids_json", &Approval::peer_ids),
    sql::column("about", &Approval::about, parse_about),
    sql::column("status", &Approval::status, parse_approval_status),
    sql::column("outcome", &Approval::outcome, parse_approval_outcome),
    sql::column("surface", &Approval::surface, parse_answer_surface),
    sql::column("priority", &Approval::priority, parse_priority),
    sql::column("voters_json", &Approval::voters),
    sql::column("closed_by", &Approval::closed_by, parse_closed_by));

/// The stored row, for explaining why a change was not made.
Result<Approval> stored(Database& db, std::string_view id) {
    A2H_ASSIGN_OR_RETURN(auto found, get_approval(db, id));
    if (!found) return fail(ErrorCode::NotFound, "there is no approval " + std::string(id));
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
                    ", and its outcome is " + std::string(to_string(approval.outcome)));
}

}  // namespace

Result<void> insert_approval(Database& db, const Approval& approval) {
    static constexpr auto kNew =
        sql::without<kApproval, &Approval::number, &Approval::escalated_at_ms, &Approval::closed_by,
                     &Approval::next_id>();
    static const std::string kSql = kNew.insert("", "updated_at_ms");
    return db.statement(kSql).put(kNew, approval, approval.created_at_ms);
}

Result<std::optional<Approval>> get_approval(Database& db, std::string_view id) {
    static const std::string kSql = kApproval.select("where id = ?");
    return db.statement(kSql).first(kApproval, id);
}

Result<std::optional<Approval>> get_live_approval_by_digest(Database& db, std::string_view agent_id,
                                                            std::string_view digest) {
    static const std::string kSql = kApproval.select(
        "indexed by approval_digest where agent_id = ? and digest = ? "
        "and (status = 'pending' or (status = 'approved' "
        "and outcome in ('none', 'executing'))) order by number desc limit 1");
    return db.statement(kSql).first(kApproval, agent_id, digest);
}

Result<std::optional<Approval>> get_latest_approval_by_digest(Database& db,
                                                              std::string_view agent_id,
                                                              std::string_view digest) {
    static const std::string kSql =
        kApproval.select("where agent_id = ? and digest = ? order by number desc limit 1");
    return db.statement(kSql).first(kApproval, agent_id, digest);
}

Result<bool> has_done_since(Database& db, const Approval& earlier, std::string_view prefix) {
    static constexpr const char* kSql =
        "select exists (select 1 from approval where agent_id = ?1 and number > ?2 "
        "and outcome in ('executing', 'executed', 'unknown') and instr(action, ?3) = 1)";
    return db.statement(kSql).is_true(earlier.agent_id, earlier.number, prefix);
}

Result<std::string> outcomes_of_others(Database& db, const Approval& approval, int limit) {
    static constexpr const char* kSql =
        "select outcome_detail from approval where agent_id = ?1 and action = ?2 and id <> ?3 "
        "and outcome = 'executed' order by number desc limit ?4";
    A2H_ASSIGN_OR_RETURN(
        const auto rows,
        db.statement(kSql).all([](Row& row) { return row.text(0); }, approval.agent_id,
                               approval.action, approval.id, limit));
    std::string all;
    for (const std::string& detail : rows)
        all += detail + "\n";
    return all;
}

Result<std::vector<std::string>> actions_done_since(Database& db, std::string_view agent_id,
                                                    UnixMs since_ms) {
    static constexpr const char* kSql =
        "select distinct action from approval where agent_id = ?1 and updated_at_ms >= ?2 "
        "and outcome in ('executing', 'executed', 'unknown')";
    return db.statement(kSql).all([](Row& row) { return row.text(0); }, agent_id, since_ms);
}

Result<void> answer_approval(Database& db, const Approval& answered) {
    static constexpr auto kAnswer =
        sql::only<kApproval, &Approval::status, &Approval::answer_text, &Approval::answered_by,
                  &Approval::surface, &Approval::answered_at_ms, &Approval::closed_by,
                  &Approval::next_id>();
    static const std::string kSql =
        kAnswer.update(", updated_at_ms = ? where id = ? and status = 'pending'");
    A2H_ASSIGN_OR_RETURN(
        const bool changed,
        db.statement(kSql).puts_a_row(kAnswer, answered, answered.answered_at_ms, answered.id));
    if (changed) return {};
    return not_pending(db, answered.id);
}

Result<void> consume_approval(Database& db, std::string_view id, UnixMs now_ms) {
    static constexpr const char* kSql =
        "update approval set outcome = 'executing', updated_at_ms = ?2 "
        "where id = ?1 and status = 'approved' and outcome = 'none'";
    A2H_ASSIGN_OR_RETURN(const bool changed, db.statement(kSql).changes_a_row(id, now_ms));
    if (changed) return {};
    return wrong_outcome(db, id);
}

Result<void> finish_approval(Database& db, std::string_view id, ApprovalOutcome outcome,
                             std::string_view detail, UnixMs now_ms) {
    static constexpr const char* kSql =
        "update approval set outcome = ?2, outcome_detail = ?3, updated_at_ms = ?4 "
        "where id = ?1 and status = 'approved' and outcome in ('executing', 'unknown')";
    A2H_ASSIGN_OR_RETURN(const bool changed,
                         db.statement(kSql).changes_a_row(id, outcome, detail, now_ms));
    if (changed) return {};
    return wrong_outcome(db, id);
}

Result<bool> take_back_approval(Database& db, std::string_view id, std::string_view detail,
                                UnixMs now_ms) {
    static constexpr const char* kSql =
        "update approval set outcome = 'failed', outcome_detail = ?2, updated_at_ms = ?3 "
        "where id = ?1 and status = 'approved' and outcome = 'executed'";
    return db.statement(kSql).changes_a_row(id, detail, now_ms);
}

Result<bool> resume_approval(Database& db, std::string_view id, std::string_view detail,
                             UnixMs now_ms) {
    static constexpr const char* kSql =
        "update approval set outcome = 'executed', outcome_detail = ?2, updated_at_ms = ?3 "
        "where id = ?1 and status = 'approved' and outcome = 'failed'";
    return db.statement(kSql).changes_a_row(id, detail, now_ms);
}

Result<void> replace_approval_action(Database& db, const Approval& edited) {
    static constexpr auto kAction =
        sql::only<kApproval, &Approval::action_json, &Approval::digest, &Approval::reply_text,
                  &Approval::reject_text, &Approval::amount_minor, &Approval::currency,
                  &Approval::asked_by, &Approval::voters, &Approval::votes_needed>();
    static const std::string kSql = kAction.update("where id = ? and status = 'pending'");
    A2H_ASSIGN_OR_RETURN(const bool changed,
                         db.statement(kSql).puts_a_row(kAction, edited, edited.id));
    if (changed) return {};
    return not_pending(db, edited.id);
}

Result<int> count_code_failure(Database& db, std::string_view id) {
    static constexpr const char* kSql =
        "update approval set code_failures = code_failures + 1 where id = ?";
    A2H_TRY(db.statement(kSql).run(id));
    A2H_ASSIGN_OR_RETURN(const auto approval, stored(db, id));
    return approval.code_failures;
}

namespace {

Result<std::vector<Approval>> list_of_all_agents(Database& db, std::optional<ApprovalStatus> status,
                                                 int limit, std::int64_t before) {
    static const std::string kAll =
        kApproval.select("where number < ? order by number desc limit ?");
    static const std::string kPending = kApproval.select(
        "indexed by approval_pending where status = 'pending' and number < ? "
        "order by number desc limit ?");
    static const std::string kOfStatus =
        kApproval.select("where status = ? and number < ? order by number desc limit ?");
    if (!status) return db.statement(kAll).all(kApproval, before, limit);
    if (*status == ApprovalStatus::Pending)
        return db.statement(kPending).all(kApproval, before, limit);
    return db.statement(kOfStatus).all(kApproval, to_string(*status), before, limit);
}

}  // namespace

Result<std::vector<Approval>> list_approvals(Database& db, std::string_view agent_id,
                                             std::optional<ApprovalStatus> status, int limit,
                                             std::int64_t before) {
    static const std::string kAll =
        kApproval.select("where agent_id = ? and number < ? order by number desc limit ?");
    static const std::string kOfStatus = kApproval.select(
        "where agent_id = ? and status = ? and number < ? order by number desc limit ?");
    if (agent_id.empty()) return list_of_all_agents(db, status, limit, before);
    if (!status) return db.statement(kAll).all(kApproval, agent_id, before, limit);
    return db.statement(kOfStatus).all(kApproval, agent_id, to_string(*status), before, limit);
}

Result<std::vector<Approval>> executing_approvals(Database& db) {
    static const std::string kSql =
        kApproval.select("where status = 'approved' and outcome = 'executing' order by number");
    return db.statement(kSql).all(kApproval);
}

Result<std::vector<Approval>> unused_approvals(Database& db) {
    static const std::string kSql =
        kApproval.select("where status = 'approved' and outcome = 'none' order by number");
    return db.statement(kSql).all(kApproval);
}

Result<std::vector<Approval>> live_approvals(Database& db, std::string_view agent_id) {
    static const std::string kSql = kApproval.select(
        "where agent_id = ? and (status = 'pending' or (status = 'approved' and outcome = 'none')) "
        "order by number");
    return db.statement(kSql).all(kApproval, agent_id);
}

Result<std::vector<Approval>> pending_about(Database& db, std::string_view agent_id,
                                            std::string_view peer_id) {
    static const std::string kSql = kApproval.select(
        "where agent_id = ? and status = 'pending' and peer_id = ? order by number");
    return db.statement(kSql).all(kApproval, agent_id, peer_id);
}

Result<std::vector<Approval>> approved_about(Database& db, std::string_view id, int limit) {
    static const std::string kSql = kApproval.select(
        "where status = 'approved' and (instr(action_json, ?1) or instr(outcome_detail, ?1)) "
        "order by number desc limit ?2");
    const std::string quoted = "\"" + std::string(id) + "\"";
    return db.statement(kSql).all(kApproval, quoted, limit);
}

Result<std::vector<Approval>> pending_about_sender(Database& db, std::int64_t inbox_id) {
    static const std::string kSql = kApproval.select(
        "where status = 'pending' and agent_id = (select agent_id from job where inbox_id = ?1) "
        "and (peer_id = (select peer_id from job where inbox_id = ?1) "
        "or (peer_id = '' and (select peer_id from job where inbox_id = ?1) "
        "in (select value from json_each(peer_ids_json)))) order by number");
    return db.statement(kSql).all(kApproval, inbox_id);
}

Result<void> put_also_text(Database& db, std::string_view id, std::string_view text) {
    static constexpr const char* kSql = "update approval set also_text = ?2 where id = ?1";
    return db.statement(kSql).run(id, text);
}

Result<void> move_references(Database& db, std::string_view from_id, std::string_view to_id) {
    static constexpr const char* kInvitation =
        "update invitation set approval_id = ?2 where approval_id = ?1 and approval_id <> ''";
    static constexpr const char* kPlanAction =
        "update deed set approval_id = ?2 where approval_id = ?1";
    A2H_TRY(db.statement(kInvitation).run(from_id, to_id));
    return db.statement(kPlanAction).run(from_id, to_id);
}

namespace {

/// Whether the sender has withdrawn, or sent something that was not merely answered or ignored,
/// since its last message with the payload of `message`. This includes what the limits left unread.
/// If a bargain goes on in which we have made an offer since, the sender insists on its own.
Result<bool> has_said_more_since(Database& db, const InboxMessage& message) {
    static constexpr const char* kSql =
        "with said as materialized (select i.id, i.received_at_ms, i.payload_hash, j.decision, "
        "j.rule_id, j.basis_json from inbox i indexed by inbox_history join job j on j.inbox_id = "
        "i.id "
        "where i.agent_id = ?1 and i.sender_id = ?2 and i.message_id <> ?3 "
        "and i.provenance <> 'forged' and (i.provenance in ('verified', 'vouched')) = ?5 "
        "order by i.received_at_ms desc, i.id desc limit ?6) "
        "select exists (select 1 from said where payload_hash <> ?4 "
        "and id > (select max(id) from said where payload_hash = ?4) "
        "and (decision not in ('', 'answer', 'silent') "
        "or rule_id in ('guard.rate', 'guard.rounds') "
        "or instr(basis_json, '\"takes_back\":true') > 0)) "
        "or exists (select 1 from bargain where state = 'open' and agent_id = ?1 and peer_id = ?2 "
        "and committed_at_ms >= (select max(received_at_ms) from said where payload_hash = ?4))";
    return db.statement(kSql).is_true(message.agent_id, message.sender_id, message.message_id,
                                      message.payload_hash, is_authentic(message.provenance),
                                      kMessagesReadMax);
}

}  // namespace

Result<bool> has_moved_on(Database& db, const InboxMessage& message, std::string_view text) {
    const auto more = has_said_more_since(db, message);
    if (!more || *more) return more;
    static constexpr const char* kSql =
        "select exists (select 1 from approval where status = 'pending' and agent_id = ?1 "
        "and peer_id = ?2 and job_id is not null and peer_text <> ?3 "
        "and (provenance in ('verified', 'vouched')) = ?4) "
        "or exists (select 1 from (select * from approval where status = 'cancelled' "
        "and agent_id = ?1 order by number desc limit ?5) where peer_id = ?2 "
        "and closed_by in ('withdrawal', 'unread_message') and peer_text = ?3 "
        "and (provenance in ('verified', 'vouched')) = ?4)";
    return db.statement(kSql).is_true(message.agent_id, message.sender_id, text,
                                      is_authentic(message.provenance), kClosedReadMax);
}

Result<std::vector<Approval>> overdue_approvals(Database& db, UnixMs now_ms) {
    static const std::string kUnanswered =
        kApproval.select("where status = 'pending' and answer_by_ms <= ? order by number");
    static const std::string kUnused = kApproval.select(
        "where status = 'approved' and outcome = 'none' and act_by_ms <= ? "
        "order by number");
    auto overdue = db.statement(kUnanswered).all(kApproval, now_ms);
    if (!overdue) return overdue;
    A2H_ASSIGN_OR_RETURN(auto unused, db.statement(kUnused).all(kApproval, now_ms));
    for (Approval& approval : unused)
        overdue->push_back(std::move(approval));
    return overdue;
}

Result<std::vector<Approval>> not_escalated(Database& db, UnixMs created_ms, int limit) {
    static const std::string kSql = kApproval.select(
        "where status = 'pending' and escalated_at_ms = 0 and created_at_ms <= ? "
        "order by created_at_ms limit ?");
    return db.statement(kSql).all(kApproval, created_ms, limit);
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
    return db.statement(kSql).is_true(agent_id, peer_id);
}

Result<bool> has_earlier_question(Database& db, const Approval& question) {
    static constexpr const char* kSql =
        "select exists (select 1 from approval where status = 'pending' and agent_id = ?1 "
        "and peer_id = ?2 and (?3 = 'unverified' or provenance <> 'unverified'))";
    return db.statement(kSql).is_true(question.agent_id, question.peer_id, question.provenance);
}

}  // namespace a2h::store
