#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/store/database.h"
#include "daemon/consent/policy.h"

namespace a2h::consent {

/// Ends the open questions of `agent_id` about its own listings `works_ids`, which have changed or
/// are gone, because drafts and cards repeat what a listing said. A question about a message of a
/// peer is asked again without a draft; for words of its own, the assistant can ask again.
///
/// Errors:  those of the store.
/// Thread:  the store writer, inside its transaction.
/// Source:  docs/rulings.md, R45.
Result<void> end_drafts_about(store::Database& db, std::string_view agent_id,
                              const std::vector<std::string>& works_ids, const Policy& policy,
                              UnixMs now_ms);

}  // namespace a2h::consent
