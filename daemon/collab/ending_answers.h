#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "daemon/collab/negotiation.h"

namespace a2h::collab {

// See daemon/collab/model_words.h. Pure; any thread.

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

}  // namespace a2h::collab
