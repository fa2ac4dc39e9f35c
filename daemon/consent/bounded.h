#pragma once

#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace a2h::mandates {

// Whether an amount says everything that a yes would commit to; only then a mandate may give it.
// Whatever is not known here does not. Thread: any.

/// A peer's payload: a price and nothing that could be a condition. Its text, if any, was read and
/// found plain (`may_have_text`), else it must have none.
bool is_bounded_offer(const nlohmann::json& payload, bool may_have_text);

/// Our own payload of type `offer` or `accept`: it has no words at all, and an acceptance no price
/// or time of its own.
bool is_bounded_payload(const nlohmann::json& payload);

/// The arguments of a call of the market. What they say must besides be plain in what they are
/// about, which only the market knows: `trade::Facts::is_plain`.
bool is_bounded_call(std::string_view action, const nlohmann::json& arguments);

}  // namespace a2h::mandates
