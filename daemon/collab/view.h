#pragma once

#include <optional>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "core/domain/demand.h"
#include "core/store/database.h"

namespace a2h::collab {

// A negotiation of many parties as its owner may see it, the same for tools, HTTP and page: all
// conditions and prices, times as ISO 8601 in UTC, amounts in minor units. What others wrote is as
// they wrote it; who shows it makes it safe. Thread: the one of `db`.

/// "processing" until the end, then "completed" or "failed".
std::string_view status_of(const Negotiation& negotiation);

/// The ids, where it stands and what is wanted: one row of a list.
nlohmann::json summary_view(const Negotiation& negotiation);

/// All of it: `summary_view` with the demand as understood, candidates with their offers, every
/// version of the plan, the feedback of each round with what was only presumed marked, gaps,
/// compromise and the negotiations below it. Errors: those of `db`.
Result<nlohmann::json> negotiation_view(store::Database& db, const Negotiation& negotiation);

/// `{"items":[…],"more"}`, newest first, those of an agent and in a state when given; where there
/// is more also `next_before`, which is `before` of the next page. `before` 0: the newest.
Result<nlohmann::json> list_view(store::Database& db, std::string_view agent_id,
                                 std::optional<NegotiationState> state, std::int64_t before,
                                 int limit);

/// `{"event_id":"evt-…","event_type","timestamp","payload"}`.
nlohmann::json event_view(const NegotiationEvent& event);

/// The row of `evt-12` or `12`; nullopt for what is no id. 0 stands before all.
std::optional<std::int64_t> read_event_id(std::string_view text);

}  // namespace a2h::collab
