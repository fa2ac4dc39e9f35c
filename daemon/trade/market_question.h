#pragma once

#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/i18n/messages.h"
#include "daemon/consent/approvals.h"
#include "daemon/trade/checks.h"

namespace a2h::trade {

/// The question to a human before a call of the market, with everything that its card shows. The
/// caller adds who asks. It is created again before the yes is carried out, and compared.
///
/// Thread:  any.
consent::Ask ask_about_call(std::string_view agent_id, std::string_view action,
                            const nlohmann::json& arguments, const Facts& facts,
                            i18n::Language language);

/// Whether `approval` is a yes to what `now` would ask. Another amount, party, text or date needs
/// another yes.
bool is_yes_to(const Approval& approval, const consent::Ask& now);

}  // namespace a2h::trade
