#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/i18n/messages.h"
#include "daemon/trade/checks.h"

namespace a2h::trade {

/// What a human is asked before `action` with `arguments`: the action, the other side, the title of
/// what it is about, and the amount with its currency. Every action for which `needs_yes` can be
/// true has its words. Thread: any.
std::string question(std::string_view action, const nlohmann::json& arguments, const Facts& facts,
                     i18n::Language language);

}  // namespace a2h::trade
