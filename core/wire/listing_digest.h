#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "core/domain/listing.h"

namespace a2h::wire {

/// Returns what a listing promises, or a request for proposals asks for: all members of `post`, as
/// the market returns it, except those that change without a change by the owner (names, times,
/// counters, state). Unknown members count.
///
/// Thread:  any.
/// Source:  docs/rulings.md, R48.
nlohmann::json listing_terms(const nlohmann::json& post);

/// The hex SHA-256 of the canonical JSON of a listing's terms, to check later that it is exactly
/// what a human has seen.
std::string listing_digest(const nlohmann::json& post);

/// The hex SHA-256 of what a listing of our own promises, as it is stored: type, title, content,
/// price, method and place.
///
/// Thread:  any.
std::string own_listing_hash(const Listing& own);

}  // namespace a2h::wire
