#pragma once

#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "daemon/trade/checks.h"

namespace a2h::trade {

/// Makes the call that `check_call` has accepted, with the calls that belong to it, and returns its
/// `data` in the form for tools, which is always an object. What changes something at the market
/// needs the yes of the context, or an action that needs none (`consent::Door`).
///
/// Errors:  those of `platform::Client::write`. Timeout: it may have taken effect.
/// Thread:  any; blocks.
Result<nlohmann::json> make_call(const CallContext& call);

/// Makes a call that is the action of `call` or belongs to it.
///
/// Errors and thread:  as above.
Result<nlohmann::json> ask_market(const CallContext& call, std::string_view called,
                                  const nlohmann::json& arguments);

}  // namespace a2h::trade
