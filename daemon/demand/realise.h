#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/demand/channel.h"

namespace a2h::demand {

/// What a finished plan becomes.
enum class Realisation {
    Briefs,  ///< a task for each who accepted, with their part as the brief
    Offers,  ///< to each who accepted and named a price, an offer of exactly that: the way to an
             ///< order
    Rfps     ///< a request for proposals for each gap
};
std::string_view to_string(Realisation value);
std::optional<Realisation> parse_realisation(std::string_view text);

/// One call of an operation of the catalogue that makes a part of the plan real.
struct Deed {
    std::string subject;  ///< agent id, or the gap: once a channel and realisation
    std::string action;
    std::string arguments_json;  ///< an object
};

/// Reads nothing that was only presumed: parts are those of `final_plan` (R31, R32). The plan of a
/// channel that has not been finalised becomes nothing. Pure; any thread.
std::vector<Deed> deeds_of(const Run& run, const std::vector<Gap>& gaps, Realisation as);

}  // namespace a2h::demand
