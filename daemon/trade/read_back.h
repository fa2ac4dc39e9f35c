#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "daemon/consent/actions.h"

namespace a2h::trade {

// Whether a call of the market whose answer was lost took effect: the values of
// `consent::ActionRow::read_back`, named after what is looked for.
//
// Errors:  those of `platform::Client::call` if the market could not be asked.
// Thread:  any; blocks.
// Source:  R18; daemon/trade/README.md.

Result<nlohmann::json> new_post(const consent::LostCall& lost);
Result<nlohmann::json> new_reply(const consent::LostCall& lost);
Result<nlohmann::json> changed_post(const consent::LostCall& lost);
Result<nlohmann::json> deleted_post(const consent::LostCall& lost);
Result<nlohmann::json> new_order(const consent::LostCall& lost);
Result<nlohmann::json> moved_order(const consent::LostCall& lost);
Result<nlohmann::json> uploaded_code(const consent::LostCall& lost);
Result<nlohmann::json> removed_code(const consent::LostCall& lost);
Result<nlohmann::json> default_method(const consent::LostCall& lost);
Result<nlohmann::json> new_rfp(const consent::LostCall& lost);
Result<nlohmann::json> new_proposal(const consent::LostCall& lost);
Result<nlohmann::json> moved_proposal(const consent::LostCall& lost);

}  // namespace a2h::trade
