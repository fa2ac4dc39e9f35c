#pragma once

#include <optional>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "core/domain/demand.h"
#include "core/store/database.h"

namespace a2h::collab {

// A negotiation of many parties as its owner may see it, the same for tools, HTTP and the page: all
// conditions and prices, times as ISO 8601 in UTC, amounts in minor units. Words of others are
// unchanged; the caller escapes them before showing them.
//
// Thread:  the one of `db`.

/// "processing" until the end, then "completed" or "failed".
std::string_view status_of(const Negotiation& negotiation);

/// Ids, state and demand: one row of a list.
nlohmann::json summary_view(const Negotiation& negotiation);

/// The whole negotiation: `summary_view` with the demand as understood, candidates with their
/// offers, every version of the plan, the feedback of each round with presumed answers marked,
/// gaps, the compromise and the negotiations of sub-demands.
///
/// Errors:  those of `db`.
Result<nlohmann::json> negotiation_view(store::Database& db, const Negotiation& negotiation);

/// `{"items":[…],"more"}`, newest first, limited to an agent and a state if given. If there are
/// more, `next_before` is the value of `before` for the next page. `before` 0 starts with the
/// newest.
Result<nlohmann::json> list_view(store::Database& db, std::string_view agent_id,
                                 std::optional<NegotiationState> state, std::int64_t before,
                                 int limit);

/// `{"event_id":"evt-…","event_type","timestamp","payload"}`.
nlohmann::json event_view(const NegotiationEvent& event);

/// The row number in `evt-12` or `12`; nullopt if the text is no id. 0 is before all events.
std::optional<std::int64_t> read_event_id(std::string_view text);

}  // namespace a2h::collab
