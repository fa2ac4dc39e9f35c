#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/domain/demand.h"
#include "core/store/database.h"
#include "core/store/page.h"

namespace a2h::store {

// The requester's side of negotiations of many parties. Each step of a negotiation is one
// transaction and goes through `update_negotiation`, so that of two decisions about the same
// revision only one counts.
//
// Errors:  those of the database, besides those that a function names.
// Thread:  that of `db`.

/// Errors:  Conflict if its ids exist.
Result<void> insert_negotiation(Database& db, const Negotiation& negotiation);
Result<std::optional<Negotiation>> get_negotiation(Database& db, std::string_view negotiation_id);
/// The negotiation with this id, which may be that of its demand; nullopt if there is none.
Result<std::optional<Negotiation>> find_negotiation(Database& db, std::string_view id);
/// Writes everything except ids, raw input and parameters, as the next revision;
/// `negotiation.revision` is set to it.
///
/// Errors:  Conflict if the stored revision is different or the negotiation has ended.
Result<void> update_negotiation(Database& db, Negotiation& negotiation);
/// The negotiations, newest first; `before` is 0 or a cursor. An empty `agent_id` or `state` means
/// all.
Result<Page<Negotiation>> list_negotiations(Database& db, std::string_view agent_id,
                                            std::optional<NegotiationState> state,
                                            std::int64_t before, int limit);
/// The negotiations of its sub-demands, oldest first.
Result<std::vector<Negotiation>> negotiations_below(Database& db, std::string_view negotiation_id);
/// The number of negotiations of this agent that have not ended.
Result<std::int64_t> live_negotiation_count(Database& db, std::string_view agent_id);
/// Ids of all negotiations that have not ended, oldest first.
Result<std::vector<std::string>> live_negotiations(Database& db);

/// Errors:  Conflict if the agent is already part of the negotiation.
Result<void> insert_party(Database& db, const Party& party);
/// The parties of a negotiation, sorted by place.
Result<std::vector<Party>> parties_of(Database& db, std::string_view negotiation_id);
Result<std::optional<Party>> get_party(Database& db, std::string_view negotiation_id,
                                       std::string_view agent_id);
/// Writes state, the agent that it replaces, its deadline and its answer.
Result<void> update_party(Database& db, const Party& party);

/// `proposal_json` is `wire::to_json(Proposal)`.
///
/// Errors:  Conflict if the version exists.
Result<void> insert_proposal(Database& db, std::string_view negotiation_id, int version,
                             std::string_view proposal_json);
struct StoredProposal {
    int version = 0;
    std::string proposal_json;
};
/// The proposals of a negotiation, sorted by version.
Result<std::vector<StoredProposal>> proposals_of(Database& db, std::string_view negotiation_id);
/// The JSON of the proposal with this version; empty if there is none.
Result<std::string> proposal_of_round(Database& db, std::string_view negotiation_id, int version);

/// False, and nothing is changed, if this agent has answered in this round.
Result<bool> insert_feedback(Database& db, const Feedback& feedback);
/// The feedback of one round, or of all rounds if `round` is 0, in the order of arrival.
Result<std::vector<Feedback>> feedback_of(Database& db, std::string_view negotiation_id, int round);

/// Ids of the authentic answers of `peer_id` to negotiations of `agent_id`: those that `rule_id`
/// has settled, later ones that repeat one of these, and those to `negotiation_id` that wait or
/// have no words.
Result<std::vector<std::string>> answers_heard(Database& db, std::string_view agent_id,
                                               std::string_view peer_id,
                                               std::string_view negotiation_id,
                                               std::string_view rule_id);

/// Whether an answer to `negotiation_id` has been received and has not been settled yet.
Result<bool> has_undecided_answer(Database& db, std::string_view agent_id,
                                  std::string_view negotiation_id);

/// Returns its id.
Result<std::int64_t> insert_negotiation_event(Database& db, const NegotiationEvent& event);
/// Events above `after_id`, oldest first.
Result<std::vector<NegotiationEvent>> negotiation_events(Database& db, std::string_view demand_id,
                                                         std::int64_t after_id, int limit);
/// Id of the newest event of all negotiations; 0 if there is none.
Result<std::int64_t> newest_negotiation_event(Database& db);
/// Events of all negotiations above `after_id`, oldest first.
Result<std::vector<NegotiationEvent>> all_negotiation_events(Database& db, std::int64_t after_id,
                                                             int limit);

/// The number of negotiations by state, for metrics.
struct NegotiationCounts {
    std::int64_t live = 0;
    std::int64_t agreed = 0;
    std::int64_t partial = 0;
    std::int64_t failed = 0;
    std::int64_t cancelled = 0;
};
Result<NegotiationCounts> negotiation_counts(Database& db);

}  // namespace a2h::store
