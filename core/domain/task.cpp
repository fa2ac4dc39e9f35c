#include "core/domain/task.h"

#include "core/base/check.h"

namespace a2h {

std::string_view to_string(TaskState value) {
    switch (value) {
        case TaskState::Pending:
            return "pending";
        case TaskState::InStages:
            return "in_stages";
        case TaskState::WaitingForHuman:
            return "waiting_for_human";
        case TaskState::Done:
            return "done";
        case TaskState::Failed:
            return "failed";
    }
    A2H_CHECK(false);
}

std::optional<TaskState> parse_task_state(std::string_view text) {
    if (text == "pending") return TaskState::Pending;
    if (text == "in_stages") return TaskState::InStages;
    if (text == "waiting_for_human") return TaskState::WaitingForHuman;
    if (text == "done") return TaskState::Done;
    if (text == "failed") return TaskState::Failed;
    return std::nullopt;
}

}  // namespace a2h
