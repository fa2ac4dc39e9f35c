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

/// Errors: Conflict when this agent has a task of that id with that peer already; what nobody could
/// check and what is authentic do not stand in each other's way (R49).
Result<void> insert_assignment(Database& db, const Assignment& assignment);
/// Whose task of an id is meant; empty members: anybody's.
struct TaskOwner {
    std::string_view peer_id{};
    std::optional<bool> is_authentic{};
};
/// Of several with one id what was agreed on comes before what is only offered, what is authentic
/// before the rest, and the first before who has copied its id.
Result<std::optional<Assignment>> get_assignment(Database& db, std::string_view agent_id,
                                                 std::string_view task_id,
                                                 const TaskOwner& whose = {});
/// Writes state, mandate, outcome and `updated_at_ms`; nothing else of a task ever changes.
/// Errors: NotFound; Conflict when what is stored is final.
Result<void> move_assignment(Database& db, const Assignment& changed);

struct AssignmentFilter {
    std::optional<AssignmentSide> side{};
    std::optional<AssignmentState> state{};
    /// Only the parts of this task; empty: all.
    std::string_view parent_task_id{};
};
/// Newest first; `before` is 0 or a cursor.
Result<Page<Assignment>> list_assignments(Database& db, std::string_view agent_id,
                                          const AssignmentFilter& filter, std::int64_t before,
                                          int limit);
/// Those of `agent_id` that are offered or open, oldest first. The second form is for one side.
Result<std::vector<Assignment>> live_assignments(Database& db, std::string_view agent_id);
Result<std::vector<Assignment>> live_assignments(Database& db, std::string_view agent_id,
                                                 AssignmentSide side);

/// Returns the id of the entry.
Result<std::int64_t> add_assignment_entry(Database& db, const AssignmentEntry& entry);
/// The story of a task, oldest first, from after the entry `after_id`.
Result<std::vector<AssignmentEntry>> assignment_story(Database& db, const Assignment& task,
                                                      std::int64_t after_id, int limit);

}  // namespace a2h::store
