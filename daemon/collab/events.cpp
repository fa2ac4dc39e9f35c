#include "daemon/collab/events.h"

#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/store/demand_store.h"
#include "core/wire/canonical.h"
#include "core/wire/demand_json.h"

namespace a2h::collab {
namespace {

using nlohmann::json;

Result<void> record(store::Database& db, const std::string& demand_id, std::string_view type,
                    const json& payload, UnixMs now_ms) {
    A2H_TRY(store::insert_negotiation_event(db, {.id = 0,
                                                 .demand_id = demand_id,
                                                 .event_type = "towow." + std::string(type),
                                                 .payload_json = wire::canonical_json(payload),
                                                 .at_ms = now_ms}));
    return {};
}

json ids_of(const Negotiation& negotiation) {
    return {{"channel_id", negotiation.negotiation_id}, {"demand_id", negotiation.demand_id}};
}

json with_ids(const Negotiation& negotiation, json fields) {
    fields.update(ids_of(negotiation));
    return fields;
}

}  // namespace

Result<void> record_understood(store::Database& db, const Negotiation& negotiation, UnixMs now_ms) {
    const auto understood = wire::parse_understanding(negotiation.understanding_json);
    return record(db, negotiation.demand_id, "demand.understood",
                  {{"demand_id", negotiation.demand_id},
                   {"surface_demand", understood.surface_demand},
                   {"capability_tags", understood.capability_tags},
                   {"confidence", understood.confidence}},
                  now_ms);
}

Result<void> record_filtered(store::Database& db, const Negotiation& negotiation,
                             const std::vector<Party>& candidates, UnixMs now_ms) {
    json list = json::array();
    for (const Party& party : candidates) {
        list.push_back({{"agent_id", party.agent_id},
                        {"display_name", party.display_name},
                        {"reason", party.reason}});
    }
    const auto count = static_cast<int>(candidates.size());
    A2H_TRY(record(
        db, negotiation.demand_id, "filter.completed",
        with_ids(negotiation, {{"candidates_count", count}, {"candidates", std::move(list)}}),
        now_ms));
    if (count == 0) return {};
    return record(db, negotiation.demand_id, "channel.created",
                  with_ids(negotiation, {{"participants_count", count}}), now_ms);
}

Result<void> record_broadcast(store::Database& db, const Negotiation& negotiation, int recipients,
                              UnixMs now_ms) {
    return record(db, negotiation.demand_id, "demand.broadcast",
                  with_ids(negotiation, {{"recipients_count", recipients}}), now_ms);
}

Result<void> record_offer(store::Database& db, const Negotiation& negotiation, const Party& party,
                          UnixMs now_ms) {
    return record(db, negotiation.demand_id, "offer.submitted",
                  with_ids(negotiation, {{"agent_id", party.agent_id},
                                         {"display_name", party.display_name},
                                         {"decision", to_string(party.offer->decision)},
                                         {"contribution", party.offer->contribution}}),
                  now_ms);
}

Result<void> record_aggregation(store::Database& db, const Negotiation& negotiation, int offers,
                                UnixMs now_ms) {
    return record(db, negotiation.demand_id, "aggregation.started",
                  with_ids(negotiation, {{"offers_count", offers}}), now_ms);
}

Result<void> record_distributed(store::Database& db, const Negotiation& negotiation,
                                const Proposal& proposal, UnixMs now_ms) {
    return record(db, negotiation.demand_id, "proposal.distributed",
                  with_ids(negotiation,
                           {{"proposal", wire::to_json(proposal)}, {"round", negotiation.round}}),
                  now_ms);
}

Result<void> record_feedback(store::Database& db, const Negotiation& negotiation,
                             const Feedback& feedback, UnixMs now_ms) {
    json fields{{"agent_id", feedback.agent_id},
                {"feedback_type", to_string(feedback.type)},
                {"reasoning", feedback.reasoning}};
    if (feedback.is_presumed) fields["presumed"] = true;
    if (!feedback.adjustment_request.empty())
        fields["adjustment_request"] = feedback.adjustment_request;
    return record(db, negotiation.demand_id, "proposal.feedback",
                  with_ids(negotiation, std::move(fields)), now_ms);
}

Result<void> record_evaluated(store::Database& db, const Negotiation& negotiation,
                              const Count& count, UnixMs now_ms) {
    const double rate =
        count.participants == 0 ? 0.0 : static_cast<double>(count.accepts) / count.participants;
    return record(db, negotiation.demand_id, "feedback.evaluated",
                  {{"channel_id", negotiation.negotiation_id},
                   {"accepts", count.accepts},
                   {"presumed", count.presumed},
                   {"rejects", count.rejects + count.withdrawals},
                   {"negotiates", count.negotiates},
                   {"accept_rate", rate},
                   {"round", negotiation.round}},
                  now_ms);
}

Result<void> record_round(store::Database& db, const Negotiation& negotiation, UnixMs now_ms) {
    return record(db, negotiation.demand_id, "negotiation.round_started",
                  with_ids(negotiation,
                           {{"round", negotiation.round}, {"max_rounds", kNegotiationRoundsMax}}),
                  now_ms);
}

Result<void> record_withdrawn(store::Database& db, const Negotiation& negotiation,
                              const Party& party, const Feedback& feedback, UnixMs now_ms) {
    return record(db, negotiation.demand_id, "agent.withdrawn",
                  with_ids(negotiation, {{"agent_id", party.agent_id},
                                         {"display_name", party.display_name},
                                         {"reason", feedback.reasoning}}),
                  now_ms);
}

Result<void> record_left_out(store::Database& db, const Negotiation& negotiation,
                             const Party& party, std::string_view reason, UnixMs now_ms) {
    return record(db, negotiation.demand_id, "agent.left_out",
                  with_ids(negotiation, {{"agent_id", party.agent_id},
                                         {"display_name", party.display_name},
                                         {"reason", reason}}),
                  now_ms);
}

Result<void> record_finalized(store::Database& db, const Negotiation& negotiation,
                              const Proposal& plan, UnixMs now_ms) {
    return record(
        db, negotiation.demand_id, "proposal.finalized",
        with_ids(negotiation, {{"final_proposal", wire::to_json(plan)},
                               {"participants_count", plan.parts.size()},
                               {"rounds_taken", negotiation.round},
                               {"partial", negotiation.outcome == NegotiationOutcome::Partial}}),
        now_ms);
}

Result<void> record_failed(store::Database& db, const Negotiation& negotiation,
                           const Proposal& last, UnixMs now_ms) {
    json fields{{"reason", negotiation.reason}};
    if (last.version > 0) fields["last_proposal"] = wire::to_json(last);
    return record(db, negotiation.demand_id, "negotiation.failed",
                  with_ids(negotiation, std::move(fields)), now_ms);
}

Result<void> record_gaps(store::Database& db, const Negotiation& negotiation,
                         const std::vector<Gap>& gaps, UnixMs now_ms) {
    return record(db, negotiation.demand_id, "gap.identified",
                  with_ids(negotiation, {{"gaps", wire::to_json(gaps)}}), now_ms);
}

Result<void> record_subnet(store::Database& db, const Negotiation& parent, const Negotiation& sub,
                           std::string_view gap_type, UnixMs now_ms) {
    return record(db, parent.demand_id, "subnet.triggered",
                  {{"parent_channel_id", parent.negotiation_id},
                   {"parent_demand_id", parent.demand_id},
                   {"sub_demand_id", sub.demand_id},
                   {"sub_channel_id", sub.negotiation_id},
                   {"gap_type", gap_type}},
                  now_ms);
}

}  // namespace a2h::collab
