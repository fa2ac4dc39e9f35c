#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "daemon/config/config.h"

namespace a2h::config {

/// What differs between two configurations, by the names of options; `person`, `channel` and
/// `approval_rule` stand for their tables.
struct Changes {
    std::vector<std::string> taken;
    std::vector<std::string> need_restart;
};

/// Makes `next` what a daemon that runs with `running` can go on with: options that need a restart
/// keep their values and origins. Both were checked.
/// Errors: Conflict when `next` has another owner, whose PIN it would be then; that needs a
///         restart, too.
Result<Changes> take_over(const Loaded& running, Loaded& next);

}  // namespace a2h::config
