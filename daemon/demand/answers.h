#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/domain/profile.h"
#include "daemon/demand/channel.h"
#include "daemon/demand/filter_rules.h"

namespace a2h::demand {

// What a model's answers become. Each fits the schema of its prompt already; what it may change is
// decided here, whatever it says: it may choose among those who are there and word what they
// offered. Facts, prices, conditions, who takes part and who has accepted stay code's own (R32,
// R35). An amount of money that the people concerned have not named themselves makes the words
// around it count for nothing. Pure; any thread.

/// Prompt 1. Place, people, date and budget stay unless they stand in `raw_input`.
wire::Understanding understood(const nlohmann::json& answer, const wire::Understanding& by_rules,
                               std::string_view raw_input);

/// Prompt 2. Only those of `shown`, each once, never the requester, together at most
/// `kCandidatesMax`; nobody at all: `by_rules`.
Filtered chosen_of(const nlohmann::json& answer, const Run& run, const std::vector<Profile>& shown,
                   const Filtered& by_rules);

/// Prompt 4. A part of `by_rules` is left out only if others cover its tags.
Proposal aggregated(const nlohmann::json& answer, const Run& run, const Proposal& by_rules);

/// Prompt 6. The parts are those of `by_rules`; what somebody has accepted stays word for word.
Proposal adjusted(const nlohmann::json& answer, const Run& run, const Proposal& by_rules);

constexpr std::size_t kGapsMax = 10;
/// Prompt 7. Those of `by_rules` are always among them; most important first.
std::vector<Gap> gaps_with(const nlohmann::json& answer, const Run& run, std::vector<Gap> by_rules);

/// What is to be looked for on its own.
struct SubDemand {
    std::string description;
    std::vector<std::string> tags;  ///< of the gaps
};
constexpr std::size_t kSubDemandsMax = 3;
/// A gap below is no reason for a second search.
constexpr int kSubDemandImportanceMin = 50;
/// Whether a second search can be thought of at all: there is a plan, it lacks something that
/// matters, and the demand is no sub-demand itself (R36).
bool may_recurse(const Run& run, const std::vector<Gap>& gaps);
/// Prompt 8. None unless all three conditions are met.
std::vector<SubDemand> sub_demands_of(const nlohmann::json& answer, const Run& run,
                                      const std::vector<Gap>& gaps);

/// Prompt 9, as JSON. Assignments are those accepted, and each gap is told as unresolved.
std::string compromise_with(const nlohmann::json& answer, const Run& run,
                            const std::vector<Gap>& gaps);

}  // namespace a2h::demand
