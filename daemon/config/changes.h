#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "daemon/config/config.h"

namespace a2h::config {

/// The names of the options that differ between two configurations. `person`, `channel` and
/// `approval_rule` stand for their tables.
struct Changes {
    std::vector<std::string> taken;
    std::vector<std::string> need_restart;
};

/// Limits `next` to what a daemon that runs with `running` can take over: options that need a
/// restart keep their values and origins. Both configurations are valid.
///
/// Errors:  Conflict if `next` has another owner, because the PIN would then be that person's; this
///          needs a restart as well.
Result<Changes> take_over(const Loaded& running, Loaded& next);

}  // namespace a2h::config
