#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/i18n/messages.h"
#include "daemon/trade/checks.h"

namespace a2h::trade {

/// The question to a human before `action` with `arguments`: the action, the other side, the title
/// of the subject, and the amount with its currency. There is a text for every action for which
/// `needs_yes` can be true.
///
/// Thread:  any.
std::string question(std::string_view action, const nlohmann::json& arguments, const Facts& facts,
                     i18n::Language language);

}  // namespace a2h::trade
