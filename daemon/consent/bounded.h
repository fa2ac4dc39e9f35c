#pragma once

#include <initializer_list>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/domain/listing.h"

namespace a2h::mandates {

// Whether an amount states everything that a yes would commit to; only then may a mandate give it.
// Unknown actions and members do not qualify.
//
// Thread:  any.

using Names = std::initializer_list<std::string_view>;
/// Whether all members are in `plain` and are texts, numbers or flags, or the price.
bool holds_only(const nlohmann::json& object, Names plain);

/// Whether a peer's payload contains a price and nothing that could be a condition. It may have a
/// text only if `may_have_text`, that is, if the text was read and found plain.
bool is_bounded_offer(const nlohmann::json& payload, bool may_have_text);

/// Whether our own payload of type `offer` or `accept` contains no words and, if it is an
/// acceptance, neither a price nor a time of its own.
bool is_bounded_payload(const nlohmann::json& payload);

/// Whether the owner is the seller: `works_id` among the `own` listings, or if it is empty each of
/// them, is a service. A lowest price does not protect an owner who seeks something.
bool is_for_sale(const std::vector<Listing>& own, std::string_view works_id);

/// Whether the arguments of a call of the market contain only what a mandate can limit, as the row
/// of the action says. What they refer to must be plain as well, which only the market knows:
/// `trade::Facts::is_plain`.
bool is_bounded_call(std::string_view action, const nlohmann::json& arguments);

}  // namespace a2h::mandates
