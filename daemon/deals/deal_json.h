#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/domain/deal.h"

namespace a2h::deals {

/// A deal as tools, commands and the page show it: members that are absent are left out; amounts
/// are in major units. Conditions are the peer's or our own words.
nlohmann::json deal_json(const Deal& deal);

}  // namespace a2h::deals
