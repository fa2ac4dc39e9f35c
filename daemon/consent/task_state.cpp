#include "daemon/consent/task_state.h"

#include "core/base/ids.h"
#include "core/store/inbox_store.h"
#include "core/store/task_store.h"

namespace a2h::consent {

Result<void> settle_task(store::Database& db, std::int64_t task_id, std::string_view why,
                         UnixMs now_ms) {
    if (task_id == 0) return {};
    A2H_ASSIGN_OR_RETURN(auto task, store::get_task(db, task_id));
    if (!task || task->state == TaskState::Done || task->state == TaskState::Failed) {
        return {};
    }
    task->state = TaskState::Done;
    task->why = why;
    task->updated_at_ms = now_ms;
    return store::update_task(db, *task);
}

Result<std::string> trace_of_task(store::Database& db, std::int64_t task_id, UnixMs now_ms) {
    if (task_id == 0) return new_trace_id(now_ms);
    A2H_ASSIGN_OR_RETURN(auto task, store::get_task(db, task_id));
    if (!task) return new_trace_id(now_ms);
    A2H_ASSIGN_OR_RETURN(auto message, store::get_inbox(db, task->inbox_id));
    return message && !message->trace_id.empty() ? message->trace_id : new_trace_id(now_ms);
}

}  // namespace a2h::consent
