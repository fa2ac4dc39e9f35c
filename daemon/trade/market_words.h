#pragma once

#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "core/i18n/messages.h"
#include "core/store/open_matter_store.h"

namespace a2h::trade {

// The market's news and things as cards show them.
//
// Pure. Thread: any.

/// An order of the market for a card. The market counts `price` in minor units, so it is put under
/// the name `price_cent`, which a card shows in major ones.
nlohmann::json market_order(nlohmann::json order);

/// The words of a piece of the market's news, or of an order that was read there: the market's own
/// sentence, and what the author has written. nullopt for anything else.
std::optional<std::string> market_in_words(const store::Said& said, i18n::Language language);

}  // namespace a2h::trade
