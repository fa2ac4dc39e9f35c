#include "core/store/task_store.h"

#include "core/store/statement.h"

namespace a2h::store {
namespace {

constexpr auto kTask = sql::table<Task>(
    "task",
    A2H_COLUMNS(Task, agent_id, rule_id, decision, why, retry_count, created_at_ms, updated_at_ms,
                basis_json, inbox_id),
    sql::column("inbox_id", &Task::id), sql::column("state", &Task::state, parse_task_state));

}  // namespace

Result<std::vector<Task>> pending_tasks(Database& db, std::int64_t after_id, int limit) {
    static const std::string kSql = kTask.select(
        "indexed by task_pending where state = 'pending' and inbox_id > ? order by inbox_id "
        "limit ?");
    return db.statement(kSql).all(kTask, after_id, limit);
}

Result<std::optional<Task>> get_task(Database& db, std::int64_t task_id) {
    static const std::string kSql = kTask.select("where inbox_id = ?");
    return db.statement(kSql).first(kTask, task_id);
}

Result<std::optional<Task>> get_task_of_inbox(Database& db, std::int64_t inbox_id) {
    return get_task(db, inbox_id);
}

Result<void> update_task(Database& db, const Task& task) {
    static constexpr auto kChange =
        sql::only<kTask, &Task::state, &Task::rule_id, &Task::decision, &Task::why,
                  &Task::retry_count, &Task::updated_at_ms, &Task::basis_json>();
    static const std::string kSql =
        kChange.update("where inbox_id = ? and state not in ('done', 'failed')");
    A2H_ASSIGN_OR_RETURN(const bool changed, db.statement(kSql).puts_a_row(kChange, task, task.id));
    if (changed) return {};
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
    return db.statement(kSql).is_true(inbox_id, agent_id, peer_id, provenance);
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
    static const std::string kSql = kTask.select(
        "where inbox_id > ? and agent_id = ? and decision <> '' and created_at_ms >= ? order "
        "by inbox_id limit ?");
    return db.statement(kSql).all(kTask, after_id, agent_id, since_ms, limit);
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
