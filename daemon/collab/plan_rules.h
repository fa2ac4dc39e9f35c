#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/i18n/messages.h"
#include "daemon/collab/negotiation.h"

namespace a2h::collab {

// Plans made without a model, or after the model has failed (R35). Nothing is invented: offers are
// used as they were made. Pure; any thread.

/// The language of a text, for words that other participants read.
i18n::Language language_of_text(std::string_view text);
/// The text of a plan's notice: it does not bind the requester.
inline constexpr const char* kNoticeKey = "plan.notice";
/// The budget that the demand names; nullopt if there is none or if it is not exact.
std::optional<Price> budget_of(const wire::Understanding& demand);

/// Whether `parts` of agents other than `one` cover all tags of the demand that it covers.
bool others_cover(const Run& run, const std::vector<PlanPart>& parts, const PlanPart& one);

/// One part for each offer, as offered. If the prices exceed the budget, the most expensive parts
/// whose tags others cover as well are left out.
Proposal aggregate(const Run& run, UnixMs now_ms);
/// The next version of the plan: agents that left are removed, agents that joined are added, and a
/// requested price is granted if the budget allows it. Requests in words are declined, because
/// rules cannot judge them.
Proposal adjust(const Run& run, UnixMs now_ms);
/// `aggregate` for the first version, `adjust` for later ones.
Proposal next_proposal(const Run& run, UnixMs now_ms);

/// Tags that nobody who has accepted covers, and parts of agents who have not accepted. The most
/// important gap is first.
std::vector<Gap> gaps_of(const Run& run);

/// The part that can be done without full agreement: `compromise` of prompt 9.
struct Compromise {
    std::string summary;
    std::vector<PlanPart> parts;
    std::vector<std::string> unresolved;
    std::vector<std::string> suggestions;
};
/// The accepted parts; everything else is unresolved. `gaps` are those of the run.
Compromise compromise_of(const Run& run, const std::vector<Gap>& gaps);
nlohmann::json to_json(const Compromise& compromise);

}  // namespace a2h::collab
