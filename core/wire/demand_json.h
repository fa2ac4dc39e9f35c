#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/domain/demand.h"

namespace a2h::wire {

// The parts of a negotiation of many parties as JSON with the fields of its
// specification. Parsing is
// lenient: a member that is missing or of another type is empty, and texts are cut to their limits.
// Our own additions are `price` ({"amount_minor","currency"}) of offers and assignments, and
// `requested_price` of feedback.
//
// Thread:  any.

/// A demand as understood.
struct Understanding {
    std::string surface_demand;
    std::string motivation;
    std::vector<std::string> likely_preferences;
    std::string emotional_context;
    std::vector<std::string> capability_tags;
    std::string location;
    std::optional<int> expected_attendees;
    std::string date;
    std::string budget;  ///< as written
    std::vector<std::string> uncertainties;
    std::string confidence;  ///< high, medium, low
};
nlohmann::json to_json(const Understanding& understanding);
Understanding read_understanding(const nlohmann::json& from);
Understanding parse_understanding(std::string_view text);

/// Null if there is no price.
nlohmann::json to_json(const std::optional<Price>& price);
/// Absent unless there is an amount of at least 0 and a currency of three letters.
std::optional<Price> read_price(const nlohmann::json& from);

nlohmann::json to_json(const Offer& offer);
/// A missing or unknown `decision` means decline (R33).
Offer read_offer(const nlohmann::json& from);
std::optional<Offer> parse_offer(std::string_view text);

nlohmann::json to_json(const Proposal& proposal);
Proposal read_proposal(const nlohmann::json& from);
Proposal parse_proposal(std::string_view text);

nlohmann::json to_json(const Feedback& feedback);

nlohmann::json to_json(const std::vector<Gap>& gaps);
std::vector<Gap> read_gaps(const nlohmann::json& from);

}  // namespace a2h::wire
