#pragma once

#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/domain/demand.h"
#include "core/store/database.h"
#include "daemon/collab/counting.h"

namespace a2h::collab {

// The history of a negotiation: the `towow.*` events of the specification with their fields. Each
// is written in the transaction of the change that it reports.
//
// Errors:  those of the store.
// Thread:  the store writer.

/// Records `towow.demand.understood`.
Result<void> record_understood(store::Database& db, const Negotiation& negotiation, UnixMs now_ms);
/// Records `towow.filter.completed` and, if there are candidates, `towow.channel.created`.
Result<void> record_filtered(store::Database& db, const Negotiation& negotiation,
                             const std::vector<Party>& candidates, UnixMs now_ms);
/// Records `towow.demand.broadcast`.
Result<void> record_broadcast(store::Database& db, const Negotiation& negotiation, int recipients,
                              UnixMs now_ms);
/// Records `towow.offer.submitted`.
Result<void> record_offer(store::Database& db, const Negotiation& negotiation, const Party& party,
                          UnixMs now_ms);
/// Records `towow.aggregation.started`.
Result<void> record_aggregation(store::Database& db, const Negotiation& negotiation, int offers,
                                UnixMs now_ms);
/// Records `towow.proposal.distributed`.
Result<void> record_distributed(store::Database& db, const Negotiation& negotiation,
                                const Proposal& proposal, UnixMs now_ms);
/// Records `towow.proposal.feedback`.
Result<void> record_feedback(store::Database& db, const Negotiation& negotiation,
                             const Feedback& feedback, UnixMs now_ms);
/// Records `towow.feedback.evaluated`.
Result<void> record_evaluated(store::Database& db, const Negotiation& negotiation,
                              const Count& count, UnixMs now_ms);
/// Records `towow.negotiation.round_started`.
Result<void> record_round(store::Database& db, const Negotiation& negotiation, UnixMs now_ms);
/// Records `towow.agent.withdrawn`.
Result<void> record_withdrawn(store::Database& db, const Negotiation& negotiation,
                              const Party& party, const Feedback& feedback, UnixMs now_ms);
/// Records `towow.agent.left_out`. `reason` says as a code why the coordinator sends the party
/// nothing more.
Result<void> record_left_out(store::Database& db, const Negotiation& negotiation,
                             const Party& party, std::string_view reason, UnixMs now_ms);
/// Records `towow.proposal.finalized`.
Result<void> record_finalized(store::Database& db, const Negotiation& negotiation,
                              const Proposal& plan, UnixMs now_ms);
/// Records `towow.negotiation.failed`.
Result<void> record_failed(store::Database& db, const Negotiation& negotiation,
                           const Proposal& last, UnixMs now_ms);
/// Records `towow.gap.identified`.
Result<void> record_gaps(store::Database& db, const Negotiation& negotiation,
                         const std::vector<Gap>& gaps, UnixMs now_ms);
/// Records `towow.subnet.triggered` in the history of `parent`.
Result<void> record_subnet(store::Database& db, const Negotiation& parent, const Negotiation& sub,
                           std::string_view gap_type, UnixMs now_ms);

}  // namespace a2h::collab
