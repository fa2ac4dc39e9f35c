#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "daemon/leading/lease.h"

namespace a2h::leading {

/// Reads a lease from `data` of the market's answer.
///
/// Errors:  Corrupt for a lease without an epoch.
/// Thread:  any.
Result<LeaseAnswer> read_lease(const nlohmann::json& data);

}  // namespace a2h::leading
