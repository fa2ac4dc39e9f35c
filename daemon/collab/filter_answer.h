#pragma once

#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/domain/profile.h"
#include "daemon/collab/filter_rules.h"
#include "daemon/collab/negotiation.h"

namespace a2h::collab {

// See daemon/collab/model_words.h. Pure; any thread.

/// Prompt 2. Returns only candidates from `shown`, each once, never the requester, at most
/// `kCandidatesMax` in total. If the answer names nobody, returns `by_rules`.
Filtered chosen_of(const nlohmann::json& answer, const Run& run, const std::vector<Profile>& shown,
                   const Filtered& by_rules);

}  // namespace a2h::collab
