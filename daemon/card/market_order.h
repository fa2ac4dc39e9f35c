#pragma once

#include <nlohmann/json_fwd.hpp>

namespace a2h::card {

/// An order of the market for a card. The market counts `price` in minor units, so it is put under
/// the name `price_cent`, which a card shows in major ones.
///
/// Thread:  any.
nlohmann::json market_order(nlohmann::json order);

}  // namespace a2h::card
