#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "daemon/leading/lease.h"

namespace a2h::leading {

/// What the market says of a lease, from `data` of its answer.
/// Errors: Corrupt for one without an epoch. Thread: any.
Result<LeaseAnswer> read_lease(const nlohmann::json& data);

}  // namespace a2h::leading
