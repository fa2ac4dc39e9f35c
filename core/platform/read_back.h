#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/platform/client.h"

namespace a2h::platform {

/// Checks whether a call took effect whose answer was lost. The public platform has no idempotency
/// keys, so the call must never simply be repeated (R18).
///
/// Returns the answer that the call would have had, as JSON text and as far as it can be seen.
/// nullopt if nothing shows that it took effect, which does not prove that it did not.
/// `not_before_ms` (unix ms): older things were made by another call.
///
/// Errors:  those of `Client::call` if the market could not be asked.
/// Thread:  any; blocks.
/// Source:  R18; daemon/trade/README.md.
Result<std::optional<std::string>> read_back(Client& market, std::string_view action,
                                             const nlohmann::json& arguments, UnixMs not_before_ms);

/// Whether `action` creates something, which the check before the call does not recognise once it
/// exists. If the market supports keys, repeating the call with the same key settles the outcome.
/// Pure.
bool is_creation(std::string_view action);

}  // namespace a2h::platform
