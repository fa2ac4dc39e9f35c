#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "daemon/trade/checks.h"

namespace a2h::trade {

/// Makes the call that `check_call` has accepted, with the calls that belong to it, and returns its
/// `data` in the form for tools, which is always an object.
///
/// Errors:  those of `platform::Client::call`. Timeout: it may have taken effect.
/// Thread:  any; blocks.
Result<nlohmann::json> make_call(const CallContext& call, const Facts& facts);

}  // namespace a2h::trade
