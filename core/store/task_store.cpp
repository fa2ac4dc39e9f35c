#include "core/store/task_store.h"

#include "core/store/statement.h"

namespace a2h::store {
namespace {

Task read_task(Row& row) {
    Task task;
    task.id = row.integer(0);
    task.inbox_id = task.id;
    task.agent_id = row.text(1);
    task.state = row.name(2, parse_task_state);
    task.rule_id = row.text(3);
    task.decision = row.text(4);
    task.why = row.text(5);
    task.retry_count = row.small(6);
    task.created_at_ms = row.integer(7);
    task.updated_at_ms = row.integer(8);
    task.basis_json = row.text(9);
    return task;
}

}  // namespace

Result<std::vector<Task>> pending_tasks(Database& db, std::int64_t after_id, int limit) {
    static constexpr const char* kSql =
        "select inbox_id, agent_id, state, rule_id, decision, why, retry_count, created_at_ms, "
        "updated_at_ms, basis_json from task indexed by task_pending "
        "where state = 'pending' and inbox_id > ? order by inbox_id limit ?";
    return db.statement(kSql).all(read_task, after_id, limit);
}

Result<std::optional<Task>> get_task(Database& db, std::int64_t task_id) {
    static constexpr const char* kSql =
        "select inbox_id, agent_id, state, rule_id, decision, why, retry_count, created_at_ms, "
        "updated_at_ms, basis_json from task where inbox_id = ?";
    return db.statement(kSql).first(read_task, task_id);
}

Result<std::optional<Task>> get_task_of_inbox(Database& db, std::int64_t inbox_id) {
    return get_task(db, inbox_id);
}

Result<void> update_task(Database& db, const Task& task) {
    static constexpr const char* kSql =
        "update task set state = ?, rule_id = ?, decision = ?, why = ?, retry_count = ?, "
        "updated_at_ms = ?, basis_json = ? where inbox_id = ? and state not in ('done', 'failed')";
    Statement& update = db.statement(kSql);
    A2H_TRY(update.run(to_string(task.state), task.rule_id, task.decision, task.why,
                       task.retry_count, task.updated_at_ms, task.basis_json, task.id));
    if (update.changes() == 1) return {};
    A2H_ASSIGN_OR_RETURN(const auto stored, get_task(db, task.id));
    const std::string name = "task " + std::to_string(task.id);
    if (!stored) return fail(ErrorCode::NotFound, "no " + name);
    return fail(ErrorCode::Conflict,
                name + " is " + std::string(to_string(stored->state)) + " already");
}

Result<bool> has_undecided_after(Database& db, std::string_view agent_id, std::string_view peer_id,
                                 std::int64_t inbox_id, Provenance provenance) {
    static constexpr const char* kSql =
        "select exists (select 1 from task indexed by task_pending cross join inbox "
        "on inbox.id = task.inbox_id where state = 'pending' and inbox_id > ?1 "
        "and task.agent_id = ?2 and peer_id = ?3 "
        "and (?4 <> 'verified' or provenance in ('verified', 'vouched')))";
    A2H_ASSIGN_OR_RETURN(const auto found, db.statement(kSql).number(inbox_id, agent_id, peer_id,
                                                                     to_string(provenance)));
    return found != 0;
}

Result<void> close_pending_tasks(Database& db, std::string_view agent_id, std::string_view rule_id,
                                 UnixMs now_ms) {
    static constexpr const char* kSql =
        "update task set state = 'done', decision = 'silent', rule_id = ?2, updated_at_ms = ?3 "
        "where agent_id = ?1 and state = 'pending'";
    return db.statement(kSql).run(agent_id, rule_id, now_ms);
}

Result<std::vector<Task>> decided_tasks(Database& db, std::string_view agent_id,
                                        std::int64_t after_id, UnixMs since_ms, int limit) {
    static constexpr const char* kSql =
        "select inbox_id, agent_id, state, rule_id, decision, why, retry_count, created_at_ms, "
        "updated_at_ms, basis_json from task where inbox_id > ? and agent_id = ? "
        "and decision <> '' and created_at_ms >= ? order by inbox_id limit ?";
    return db.statement(kSql).all(read_task, after_id, agent_id, since_ms, limit);
}

Result<int> count_answers_since(Database& db, const InboxMessage& message, UnixMs since_ms) {
    static constexpr const char* kSql =
        "select count(*) from task indexed by task_answered cross join inbox "
        "on inbox.id = task.inbox_id where decision = 'answer' and task.agent_id = ?1 "
        "and peer_id = ?2 and updated_at_ms >= ?3 "
        "and (provenance in ('verified', 'vouched')) = ?4";
    A2H_ASSIGN_OR_RETURN(const auto count,
                         db.statement(kSql).number(message.agent_id, message.sender_id, since_ms,
                                                   is_authentic(message.provenance)));
    return static_cast<int>(count);
}

Result<std::int64_t> count_pending_tasks(Database& db, std::string_view agent_id) {
    static constexpr const char* kSql =
        "select count(*) from task indexed by task_pending "
        "where state = 'pending' and agent_id = ?";
    return db.statement(kSql).number(agent_id);
}

}  // namespace a2h::store
