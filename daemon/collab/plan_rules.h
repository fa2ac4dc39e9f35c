#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/i18n/messages.h"
#include "daemon/collab/negotiation.h"

namespace a2h::collab {

// What is said where no model thinks, or the one that does has failed (R35): nothing is invented,
// what was offered is taken as it was offered. Pure; any thread.

/// That of the text, for words that others in the negotiation read.
i18n::Language language_of_text(std::string_view text);
/// The amount that the demand names as its budget; nullopt: none, or no exact one.
std::optional<Price> budget_of(const wire::Understanding& demand);

/// Whether `parts` of others than `one` stand for all its tags of the demand.
bool others_cover(const Run& run, const std::vector<PlanPart>& parts, const PlanPart& one);

/// One part an offer, as offered. Where prices go beyond the budget, the dearest whose tags others
/// cover, too, are left out.
Proposal aggregate(const Run& run, UnixMs now_ms);
/// The next version: who has left is out, who has joined is in, a price that was asked for is
/// granted if the budget allows. Requests in words are declined, because rules cannot weigh them.
Proposal adjust(const Run& run, UnixMs now_ms);
/// `aggregate` for the first version, `adjust` for others.
Proposal next_proposal(const Run& run, UnixMs now_ms);

/// Tags that nobody covers who has accepted, and parts of others than those. Most important first.
std::vector<Gap> gaps_of(const Run& run);

/// What holds although not everything was agreed; `compromise` of prompt 9.
struct Compromise {
    std::string summary;
    std::vector<PlanPart> parts;
    std::vector<std::string> unresolved;
    std::vector<std::string> suggestions;
};
/// The accepted parts, the rest unresolved. `gaps` are those of the run.
Compromise compromise_of(const Run& run, const std::vector<Gap>& gaps);
nlohmann::json to_json(const Compromise& compromise);

}  // namespace a2h::collab
