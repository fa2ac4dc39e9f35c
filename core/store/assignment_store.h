#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/domain/assignment.h"
#include "core/store/database.h"
#include "core/store/page.h"

namespace a2h::store {

// Errors:  those of the database, besides those that a function names.
// Thread:  that of `db`.

/// Errors:  Conflict if this agent already has a task with that id and peer. Authentic and
///          unverified tasks do not conflict with each other (R49).
Result<void> insert_assignment(Database& db, const Assignment& assignment);
/// The owner of a task id; empty members match anybody.
struct TaskOwner {
    std::string_view peer_id{};
    std::optional<bool> is_authentic{};
};
/// The task with this id; nullopt if there is none. If several tasks have it, accepted ones come
/// before offered ones, authentic ones before others, and the first before later copies of its id.
Result<std::optional<Assignment>> get_assignment(Database& db, std::string_view agent_id,
                                                 std::string_view task_id,
                                                 const TaskOwner& whose = {});
/// Writes state, mandate, outcome and `updated_at_ms`; nothing else of a task ever changes.
///
/// Errors:  NotFound; Conflict if the stored state is final.
Result<void> move_assignment(Database& db, const Assignment& changed);

struct AssignmentFilter {
    std::optional<AssignmentSide> side{};
    std::optional<AssignmentState> state{};
    /// Only the parts of this task; empty: all.
    std::string_view parent_task_id{};
};
/// The tasks that match `filter`, newest first; `before` is 0 or a cursor.
Result<Page<Assignment>> list_assignments(Database& db, std::string_view agent_id,
                                          const AssignmentFilter& filter, std::int64_t before,
                                          int limit);
/// The offered and open tasks of `agent_id`, oldest first. The second form is for one side.
Result<std::vector<Assignment>> live_assignments(Database& db, std::string_view agent_id);
Result<std::vector<Assignment>> live_assignments(Database& db, std::string_view agent_id,
                                                 AssignmentSide side);

/// Returns the id of the entry.
Result<std::int64_t> add_assignment_entry(Database& db, const AssignmentEntry& entry);
/// The history of a task, oldest first, after the entry `after_id`.
Result<std::vector<AssignmentEntry>> assignment_story(Database& db, const Assignment& task,
                                                      std::int64_t after_id, int limit);

}  // namespace a2h::store
