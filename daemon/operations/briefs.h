#pragma once

#include <optional>

#include "core/domain/task_brief.h"
#include "daemon/operations/operation.h"

namespace a2h::operations {

/// The brief of a call, given as `task_brief` or `taskBrief`. Answers the call itself with
/// invalid_task_brief and everything that is missing when it is none.
std::optional<TaskBrief> read_brief(const Call& call, const Reply& reply);

}  // namespace a2h::operations
