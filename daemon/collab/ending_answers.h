#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "daemon/collab/negotiation.h"

namespace a2h::collab {

// See daemon/collab/model_words.h. Pure; any thread.

/// Prompt 7. The result always contains the gaps `by_rules`. The most important gap is first.
std::vector<Gap> gaps_with(const nlohmann::json& answer, const Run& run, std::vector<Gap> by_rules);

/// A part of the demand that gets a negotiation of its own.
struct SubDemand {
    std::string description;
    std::vector<std::string> tags;  ///< tags of its gaps
};
constexpr std::size_t kSubDemandsMax = 3;
/// A gap of lower importance does not justify a second search.
constexpr int kSubDemandImportanceMin = 50;
/// Whether a second search is possible at all: there is a plan, an important part is missing, and
/// the demand is not a sub-demand itself (R36).
bool may_recurse(const Run& run, const std::vector<Gap>& gaps);
/// Prompt 8. Empty unless all three conditions are met.
std::vector<SubDemand> sub_demands_of(const nlohmann::json& answer, const Run& run,
                                      const std::vector<Gap>& gaps);

/// Prompt 9, as JSON. The assignments are those that were accepted, and each gap is listed as
/// unresolved.
std::string compromise_with(const nlohmann::json& answer, const Run& run,
                            const std::vector<Gap>& gaps);

}  // namespace a2h::collab
