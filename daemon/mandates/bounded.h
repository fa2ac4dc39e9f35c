#pragma once

#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/domain/listing.h"

namespace a2h::mandates {

// Whether an amount says everything that a yes would commit to; only then a mandate may give it.
// Whatever is not known here does not. Thread: any.

/// A peer's payload: a price and nothing that could be a condition. Its text, if any, was read and
/// found plain (`may_have_text`), else it must have none.
bool is_bounded_offer(const nlohmann::json& payload, bool may_have_text);

/// Our own payload of type `offer` or `accept`: its words must be such as leave without asking.
bool is_bounded_payload(const nlohmann::json& payload, const std::vector<Listing>& listings);

/// The arguments of a call of the market, its words as above.
bool is_bounded_call(std::string_view action, const nlohmann::json& arguments,
                     const std::vector<Listing>& listings);

}  // namespace a2h::mandates
