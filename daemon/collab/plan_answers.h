#pragma once

#include <nlohmann/json_fwd.hpp>

#include "daemon/collab/negotiation.h"

namespace a2h::collab {

// See daemon/collab/model_words.h. Pure; any thread.

/// Prompt 4. A part of `by_rules` is left out only if others cover its tags.
Proposal aggregated(const nlohmann::json& answer, const Run& run, const Proposal& by_rules);

/// Prompt 6. The parts are those of `by_rules`. A part that somebody has accepted is not changed.
Proposal adjusted(const nlohmann::json& answer, const Run& run, const Proposal& by_rules);

}  // namespace a2h::collab
