#include "daemon/collab/step_parts.h"

#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/store/demand_store.h"
#include "core/wire/canonical.h"
#include "daemon/collab/plan_rules.h"
#include "daemon/consent/door.h"
#include "daemon/effects/rows.h"

namespace a2h::collab {

using nlohmann::json;

Result<void> send(const Writing& to, const Negotiation& negotiation, const std::string& target_id,
                  const Posting& posting, const json& payload) {
    OutboxMessage message = effects::new_outbox_message(
        negotiation.agent_id, target_id, wire::canonical_json(payload), {},
        std::string(posting.cause) + negotiation.negotiation_id, to.now_ms);
    message.message_type = wire::to_string(posting.type);
    message.effect_key =
        "demand:" + negotiation.negotiation_id + ":" + posting.effect + ":" + target_id;
    A2H_TRY(consent::put_in_outbox(to.db, message));
    return {};
}

Result<void> update(const Writing& to, Negotiation& negotiation) {
    negotiation.updated_at_ms = to.now_ms;
    return store::update_negotiation(to.db, negotiation);
}

void begin_end(Run& run, NegotiationOutcome outcome, std::string_view reason) {
    run.negotiation.state = NegotiationState::Aggregating;
    run.negotiation.outcome = outcome;
    run.negotiation.reason = reason;
    run.negotiation.deadline_ms = 0;
}

json proposal_for(const Proposal& proposal, const std::string& agent_id, bool shows_terms,
                  std::size_t others_text_max, const std::string& notice) {
    Proposal shown = proposal;
    for (PlanPart& part : shown.parts) {
        if (part.agent_id == agent_id) continue;
        part.responsibility = std::string(truncate(part.responsibility, others_text_max));
        if (shows_terms) continue;
        part.notes.clear();
        part.price.reset();
    }
    if (!shows_terms) {
        shown.changes.clear();
        shown.requests_granted.clear();
        shown.requests_declined.clear();
    }
    json plan = wire::to_json(shown);
    plan["binds_requester"] = false;
    plan["notice"] = notice;
    return plan;
}

std::string notice_of(const Run& run) {
    return i18n::text(language_of_text(run.demand.surface_demand), kNoticeKey);
}

}  // namespace a2h::collab
