#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "daemon/decide/decision.h"
#include "daemon/decide/labelled.h"

namespace a2h::decide {

/// Listings of an imaginary owner, by the name that the golden files use.
std::vector<Listing> listings_named(std::string_view name);

/// The input that one line of a golden file describes.
Input input_of(const nlohmann::json& line);

/// A plain text message of a peer about `listings`.
Input input_with(std::string_view text, std::string_view listings = "deck");

/// The lines of tests/golden/decide/{file}.
std::vector<nlohmann::json> golden_lines(std::string_view file);

/// The history entry of a text that we sent.
HistoryEntry sent_text(const std::string& text);

}  // namespace a2h::decide
