#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/domain/demand.h"
#include "core/store/database.h"
#include "daemon/collab/filter_rules.h"
#include "daemon/collab/negotiation.h"
#include "daemon/consent/policy.h"

namespace a2h::collab {

// The steps of a negotiation. Each is written in the caller's transaction together with its events
// and the messages that it sends. If the negotiation has changed since `run` was read, the result
// is Conflict and nothing is written.
//
// Thread:  the store writer.

/// The contribution of a model to a step. Rules decide what is missing.
struct Thoughts {
    std::optional<Filtered> filtered;
    std::optional<Proposal> proposal;
    std::optional<std::vector<Gap>> gaps;
    std::string compromise_json;  ///< empty: rules decide
    std::vector<Negotiation>
        sub_demands;  ///< parts of the demand that get negotiations of their own
};

/// Stored as the rule of an answer that counts. No rule of the playbook decided about it, but the
/// negotiation.
inline constexpr std::string_view kDemandMailRule = "negotiation.mail";
/// The same for an answer that changed nothing.
inline constexpr std::string_view kIgnoredAnswerRule = "negotiation.ignored";

// Causes of the messages of a negotiation, each followed by its id.

/// The message is not sent late if something of its receiver has arrived since (R46).
inline constexpr std::string_view kNegotiationCause = "negotiation:";
/// A human has released the message.
inline constexpr std::string_view kReleasedCause = "negotiation_released:";
/// The message only says that the negotiation came to nothing.
inline constexpr std::string_view kFailedCause = "negotiation_failed:";

struct Writing {
    store::Database& db;
    const consent::Policy& policy;
    UnixMs now_ms = 0;
    std::vector<std::string> home{};  ///< the agents of this home
    /// A human has released the demand, or its end, so that it is sent whatever is open (R46).
    bool is_released = false;
    /// Mail of the parties may be waiting unread, so that something counts as open with each.
    bool is_unread = false;
};

/// The current state of the negotiation; nullopt if it does not exist.
Result<std::optional<Run>> read_run(store::Database& db, std::string_view negotiation_id);

/// Stores a new negotiation with what was understood. Errors: those of the store.
Result<void> write_submitted(const Writing& to, const Negotiation& negotiation);
/// `run` must have the revision on which the decision is based.
Result<void> write_step(const Writing& to, Run run, Step step, const Thoughts& thoughts);
/// Ends the negotiation because its requester wishes it (`to.is_released`) or an assistant does.
///
/// Errors:  Conflict if it has ended.
Result<void> write_cancelled(const Writing& to, Run run);

}  // namespace a2h::collab
