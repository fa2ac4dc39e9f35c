#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "daemon/decide/decision.h"

namespace a2h::decide {

/// Named lists of listings, to which messages can refer.
using NamedListings = std::map<std::string, std::vector<Listing>, std::less<>>;

/// A message with the expected decision.
struct Labelled {
    std::string id;    ///< empty if it has none
    std::string kind;  ///< silent, answer or ask; empty if it has none
    std::string rule;  ///< the rule that should decide; empty: any
    Input input;
};

/// A JSON object of lists of listings, or one list, which gets the empty name. A listing has
/// the fields works_id, type, title, content, expected_price, service_method,
/// service_location, status.
///
/// Errors:  InvalidArgument naming listing and field, with "did you mean" for an unknown one.
Result<NamedListings> parse_listings(std::string_view json);

/// One line of a file of labelled messages: a JSON object, see docs/playbooks.md. `listings` is a
/// name in `named`, a list of listings, or missing, which means the list without a name.
///
/// Errors:  InvalidArgument naming the field, with "did you mean" for an unknown one.
Result<Labelled> parse_labelled(std::string_view line, const NamedListings& named);

/// `input` in the format of `parse_labelled`, with everything except the sender: payload, listings,
/// conversation, counts.
nlohmann::json labelled_json(const Input& input);

/// The result if no drafter is available: "silent", "answer" or "ask".
std::string_view kind_without_drafter(const Decision& decision);

}  // namespace a2h::decide
