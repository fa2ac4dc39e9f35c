#pragma once

#include <optional>

#include "core/domain/task_brief.h"
#include "daemon/operations/operation.h"

namespace a2h::operations {

/// Reads the brief in a call's argument `task_brief` or `taskBrief`. If it is not valid, answers
/// the call with invalid_task_brief and everything that is missing, and returns nullopt.
///
/// Thread:  the loop.
std::optional<TaskBrief> read_brief(const Call& call, const Reply& reply);

}  // namespace a2h::operations
