#pragma once

#include <string>

namespace a2h::wire {

/// What a human has seen of a listing, for comparing it letter by letter later: hex SHA-256 of the
/// canonical JSON of both. Thread: any.
/// Source: docs/rulings.md, R48.
std::string listing_digest(const std::string& title, const std::string& content);

}  // namespace a2h::wire
