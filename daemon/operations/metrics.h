#pragma once

#include <vector>

#include "core/base/result.h"
#include "daemon/health/exposition.h"
#include "daemon/operations/runtime.h"

namespace a2h::operations {

/// All metrics as they are now. Errors: those of the database. Thread: the loop.
Result<std::vector<health::Family>> metrics_of(const Runtime& runtime);

}  // namespace a2h::operations
