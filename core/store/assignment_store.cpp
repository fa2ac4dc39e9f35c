#include "core/store/assignment_store.h"

#include <string>

#include "core/store/statement.h"

namespace a2h::store {
namespace {

constexpr auto kAssignment = sql::table<Assignment>(
    "assignment",
    A2H_COLUMNS(Assignment, task_id, agent_id, peer_id, parent_task_id, brief_json, mandate_id,
                outcome_json, created_at_ms, updated_at_ms, is_authentic),
    sql::column("side", &Assignment::side, parse_assignment_side),
    sql::column("state", &Assignment::state, parse_assignment_state));

constexpr auto kEntry = sql::table<AssignmentEntry>(
    "assignment_entry", A2H_COLUMNS(AssignmentEntry, id, agent_id, task_id, kind, message_id,
                                    detail_json, at_ms, peer_id, is_authentic));

}  // namespace

Result<void> insert_assignment(Database& db, const Assignment& made) {
    static const std::string kSql = kAssignment.insert();
    return db.statement(kSql).put(kAssignment, made);
}

Result<std::optional<Assignment>> get_assignment(Database& db, std::string_view agent_id,
                                                 std::string_view task_id, const TaskOwner& whose) {
    static const std::string kSql = kAssignment.select(
        "where agent_id = ?1 and task_id = ?2 and (?3 = '' or peer_id = ?3) "
        "and (?4 = -1 or is_authentic = ?4) order by state = 'open' desc, "
        "state in ('offered', 'declined'), is_authentic desc, number limit 1");
    const int is_authentic = whose.is_authentic ? (*whose.is_authentic ? 1 : 0) : -1;
    return db.statement(kSql).first(kAssignment, agent_id, task_id, whose.peer_id, is_authentic);
}

Result<void> move_assignment(Database& db, const Assignment& changed) {
    static constexpr auto kChange =
        sql::only<kAssignment, &Assignment::state, &Assignment::mandate_id,
                  &Assignment::outcome_json, &Assignment::updated_at_ms>();
    static const std::string kSql = kChange.update(
        "where agent_id = ? and task_id = ? and peer_id = ? and is_authentic = ? "
        "and state in ('offered', 'open')");
    A2H_ASSIGN_OR_RETURN(const bool moved, db.statement(kSql).puts_a_row(
                                               kChange, changed, changed.agent_id, changed.task_id,
                                               changed.peer_id, changed.is_authentic));
    if (moved) return {};
    A2H_ASSIGN_OR_RETURN(const auto stored,
                         get_assignment(db, changed.agent_id, changed.task_id,
                                        {changed.peer_id, changed.is_authentic}));
    if (!stored) {
        return fail(ErrorCode::NotFound, changed.agent_id + " has no task " + changed.task_id);
    }
    return fail(ErrorCode::Conflict, "task " + changed.task_id + " is " +
                                         std::string(to_string(stored->state)) + " already");
}

Result<Page<Assignment>> list_assignments(Database& db, std::string_view agent_id,
                                          const AssignmentFilter& filter, std::int64_t before,
                                          int limit) {
    static const std::string kSql = kAssignment.select(
        "where agent_id = ?1 and number < ?2 "
        "and (?3 = '' or side = ?3) and (?4 = '' or state = ?4) "
        "and (?5 = '' or parent_task_id = ?5) order by number desc limit ?6",
        "number");
    const std::string_view side = sql::name_or_empty(filter.side);
    const std::string_view state = sql::name_or_empty(filter.state);
    return page_of(
        db.statement(kSql).all(sql::with_number(kAssignment), agent_id, number_below(before), side,
                               state, filter.parent_task_id, limit + 1),
        limit);
}

Result<std::vector<Assignment>> live_assignments(Database& db, std::string_view agent_id) {
    static const std::string kSql =
        kAssignment.select("where agent_id = ? and state in ('offered', 'open') order by number");
    return db.statement(kSql).all(kAssignment, agent_id);
}

Result<std::vector<Assignment>> live_assignments(Database& db, std::string_view agent_id,
                                                 AssignmentSide side) {
    static const std::string kSql = kAssignment.select(
        "where agent_id = ? and side = ? and state in ('offered', 'open') "
        "order by number");
    return db.statement(kSql).all(kAssignment, agent_id, side);
}

Result<std::int64_t> add_assignment_entry(Database& db, const AssignmentEntry& entry) {
    static constexpr auto kNew = sql::without<kEntry, &AssignmentEntry::id>();
    static const std::string kSql = kNew.insert();
    return db.statement(kSql).put_new(kNew, entry);
}

Result<std::vector<AssignmentEntry>> assignment_story(Database& db, const Assignment& task,
                                                      std::int64_t after_id, int limit) {
    static const std::string kSql = kEntry.select(
        "where agent_id = ? and task_id = ? and peer_id = ? and is_authentic = ? and id > ? "
        "order by id limit ?");
    return db.statement(kSql).all(kEntry, task.agent_id, task.task_id, task.peer_id,
                                  task.is_authentic, after_id, limit);
}

}  // namespace a2h::store
