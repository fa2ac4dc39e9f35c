#include "core/domain/task.h"

#include "core/base/enum_names.h"

namespace a2h {

constexpr EnumName<TaskState> kTaskStateNames[] = {
    {TaskState::Pending, "pending"},
    {TaskState::InStages, "in_stages"},
    {TaskState::WaitingForHuman, "waiting_for_human"},
    {TaskState::Done, "done"},
    {TaskState::Failed, "failed"},
};
static_assert(names_all(kTaskStateNames));

std::string_view to_string(TaskState value) {
    return name_of(kTaskStateNames, value);
}

std::optional<TaskState> parse_task_state(std::string_view text) {
    return value_of(kTaskStateNames, text);
}

}  // namespace a2h
