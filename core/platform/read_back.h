#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/platform/client.h"

namespace a2h::platform {

/// Looks whether a call took effect whose answer was lost: the public platform has no idempotency
/// keys, so it must never just be made again (R18).
///
/// Returns what the call would have answered, as JSON text and as far as it can be seen; nullopt
/// when nothing shows that it took effect, which does not prove that it did not.
/// `not_before_ms`: what is older was made by another call; unix ms.
///
/// Errors:  those of `Client::call`, when the market could not be asked.
/// Thread:  any; blocks.
/// Source:  R18; daemon/trade/README.md.
Result<std::optional<std::string>> read_back(Client& market, std::string_view action,
                                             const nlohmann::json& arguments, UnixMs not_before_ms);

/// Whether `action` creates something, which the check before the call does not see once it is
/// there: where keys are known, the same call with the same key settles what came of it. Pure.
bool is_creation(std::string_view action);

}  // namespace a2h::platform
