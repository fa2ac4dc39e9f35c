#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/base/result.h"
#include "core/domain/demand.h"
#include "core/domain/message.h"
#include "core/store/database.h"
#include "daemon/collab/filter_rules.h"
#include "daemon/collab/negotiation.h"
#include "daemon/consent/policy.h"

namespace a2h::collab {

// The steps of a negotiation, each written in the caller's transaction with its events and all that
// it sends. Whoever comes too late, because the negotiation has changed since `run` was read, gets
// Conflict, and nothing is written. Thread: the store writer.

/// What has been thought about a step; what is missing is decided by rules.
struct Thoughts {
    std::optional<Filtered> filtered;
    std::optional<Proposal> proposal;
    std::optional<std::vector<Gap>> gaps;
    std::string compromise_json;           ///< empty: by rules
    std::vector<Negotiation> sub_demands;  ///< to be looked for on their own
};

struct Writing {
    store::Database& db;
    const consent::Policy& policy;
    UnixMs now_ms = 0;
};

/// The negotiation as it stands; nullopt when there is none.
Result<std::optional<Run>> read_run(store::Database& db, std::string_view negotiation_id);

/// Stores a new negotiation with what was understood. Errors: those of the store.
Result<void> write_submitted(const Writing& to, const Negotiation& negotiation);
/// `run` must be of the revision that was thought about.
Result<void> write_step(const Writing& to, Run run, Step step, const Thoughts& thoughts);
/// Ends it at its requester's wish. Errors: Conflict when it has ended.
Result<void> write_cancelled(const Writing& to, Run run);

/// Why an answer changed nothing: a key of locales area `plan`.
using Ignored = std::string_view;
/// One answer to an invitation or a proposal, as its sender is proved. Empty: it counts.
Result<Ignored> take_answer(const Writing& to, const InboxMessage& message,
                            const nlohmann::json& payload);

}  // namespace a2h::collab
