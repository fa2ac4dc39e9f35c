#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace a2h::wire {

/// What a listing promises, or a request for proposals wants: all members of `post`, as the market
/// returns it, but those that change without its owner changing the listing (names, times,
/// counters, its state). A member that nobody here knows counts. Thread: any. Source:
/// docs/rulings.md, R48.
nlohmann::json listing_terms(const nlohmann::json& post);

/// What a human has seen of a listing, for comparing it letter by letter later: hex SHA-256 of the
/// canonical JSON of its terms.
std::string listing_digest(const nlohmann::json& post);

}  // namespace a2h::wire
