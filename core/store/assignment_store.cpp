#include "core/store/assignment_store.h"

#include <string>
#include <utility>

#include "core/store/statement.h"

namespace a2h::store {
namespace {

#define A2H_ASSIGNMENT_COLUMNS                                                          \
    "task_id, agent_id, peer_id, side, parent_task_id, brief_json, mandate_id, state, " \
    "outcome_json, created_at_ms, updated_at_ms, is_authentic"

Assignment read_assignment(Row& row) {
    Assignment found;
    found.task_id = row.text(0);
    found.agent_id = row.text(1);
    found.peer_id = row.text(2);
    found.side = row.name(3, parse_assignment_side);
    found.parent_task_id = row.text(4);
    found.brief_json = row.text(5);
    found.mandate_id = row.text(6);
    found.state = row.name(7, parse_assignment_state);
    found.outcome_json = row.text(8);
    found.created_at_ms = row.integer(9);
    found.updated_at_ms = row.integer(10);
    found.is_authentic = row.integer(11) != 0;
    return found;
}

AssignmentEntry read_entry(Row& row) {
    return AssignmentEntry{row.integer(0), row.text(1), row.text(2),
                           row.text(3),    row.text(4), row.text(5),
                           row.integer(6), row.text(7), row.integer(8) != 0};
}

}  // namespace

Result<void> insert_assignment(Database& db, const Assignment& made) {
    static constexpr const char* kSql = "insert into assignment (" A2H_ASSIGNMENT_COLUMNS
                                        ") values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    return db.statement(kSql).run(made.task_id, made.agent_id, made.peer_id, to_string(made.side),
                                  made.parent_task_id, made.brief_json, made.mandate_id,
                                  to_string(made.state), made.outcome_json, made.created_at_ms,
                                  made.updated_at_ms, made.is_authentic ? 1 : 0);
}

Result<std::optional<Assignment>> get_assignment(Database& db, std::string_view agent_id,
                                                 std::string_view task_id, const TaskOwner& whose) {
    static constexpr const char* kSql =
        "select " A2H_ASSIGNMENT_COLUMNS
        " from assignment where agent_id = ?1 and task_id = ?2 and (?3 = '' or peer_id = ?3) "
        "and (?4 = -1 or is_authentic = ?4) order by state = 'open' desc, "
        "state in ('offered', 'declined'), is_authentic desc, number limit 1";
    const int is_authentic = whose.is_authentic ? (*whose.is_authentic ? 1 : 0) : -1;
    return db.statement(kSql).first(read_assignment, agent_id, task_id, whose.peer_id,
                                    is_authentic);
}

Result<void> move_assignment(Database& db, const Assignment& changed) {
    static constexpr const char* kSql =
        "update assignment set state = ?, mandate_id = ?, outcome_json = ?, updated_at_ms = ? "
        "where agent_id = ? and task_id = ? and peer_id = ? and is_authentic = ? "
        "and state in ('offered', 'open')";
    Statement& update = db.statement(kSql);
    A2H_TRY(update.run(to_string(changed.state), changed.mandate_id, changed.outcome_json,
                       changed.updated_at_ms, changed.agent_id, changed.task_id, changed.peer_id,
                       changed.is_authentic ? 1 : 0));
    if (update.changes() == 1) return {};
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
    static constexpr const char* kSql =
        "select " A2H_ASSIGNMENT_COLUMNS
        ", number from assignment where agent_id = ?1 and number < ?2 "
        "and (?3 = '' or side = ?3) and (?4 = '' or state = ?4) "
        "and (?5 = '' or parent_task_id = ?5) order by number desc limit ?6";
    const std::string_view side = filter.side ? to_string(*filter.side) : std::string_view();
    const std::string_view state = filter.state ? to_string(*filter.state) : std::string_view();
    return page_of(
        db.statement(kSql).all(
            [](Row& row) { return std::pair(read_assignment(row), row.integer(12)); }, agent_id,
            number_below(before), side, state, filter.parent_task_id, limit + 1),
        limit);
}

Result<std::vector<Assignment>> live_assignments(Database& db, std::string_view agent_id) {
    static constexpr const char* kSql =
        "select " A2H_ASSIGNMENT_COLUMNS
        " from assignment where agent_id = ? and state in ('offered', 'open') order by number";
    return db.statement(kSql).all(read_assignment, agent_id);
}

Result<std::vector<Assignment>> live_assignments(Database& db, std::string_view agent_id,
                                                 AssignmentSide side) {
    static constexpr const char* kSql =
        "select " A2H_ASSIGNMENT_COLUMNS
        " from assignment where agent_id = ? and side = ? and state in ('offered', 'open') "
        "order by number";
    return db.statement(kSql).all(read_assignment, agent_id, to_string(side));
}

Result<std::int64_t> add_assignment_entry(Database& db, const AssignmentEntry& entry) {
    static constexpr const char* kSql =
        "insert into assignment_entry (agent_id, task_id, kind, message_id, detail_json, at_ms, "
        "peer_id, is_authentic) values (?, ?, ?, ?, ?, ?, ?, ?)";
    Statement& insert = db.statement(kSql);
    A2H_TRY(insert.run(entry.agent_id, entry.task_id, entry.kind, entry.message_id,
                       entry.detail_json, entry.at_ms, entry.peer_id, entry.is_authentic ? 1 : 0));
    return insert.last_id();
}

Result<std::vector<AssignmentEntry>> assignment_story(Database& db, const Assignment& task,
                                                      std::int64_t after_id, int limit) {
    static constexpr const char* kSql =
        "select id, agent_id, task_id, kind, message_id, detail_json, at_ms, peer_id, "
        "is_authentic from assignment_entry where agent_id = ? and task_id = ? and peer_id = ? "
        "and is_authentic = ? and id > ? order by id limit ?";
    return db.statement(kSql).all(read_entry, task.agent_id, task.task_id, task.peer_id,
                                  task.is_authentic ? 1 : 0, after_id, limit);
}

#undef A2H_ASSIGNMENT_COLUMNS

}  // namespace a2h::store
