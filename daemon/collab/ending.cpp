#include "daemon/collab/ending.h"

#include <algorithm>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/wire/canonical.h"
#include "core/wire/demand_messages.h"
#include "daemon/collab/counting.h"
#include "daemon/collab/events.h"
#include "daemon/collab/left_out.h"
#include "daemon/collab/plan_rules.h"
#include "daemon/collab/step_parts.h"
#include "daemon/consent/approvals.h"

namespace a2h::collab {
namespace {

using nlohmann::json;

bool is_notified_of_end(const Party& party) {
    return party.state == PartyState::Invited || party.state == PartyState::Participating ||
           party.state == PartyState::Silent;
}

/// Only a failure says nothing that somebody could take for a yes. A cancellation by an assistant
/// is an act of the assistant.
std::string_view cause_of_end(const Writing& to, const Negotiation& negotiation) {
    if (negotiation.outcome == NegotiationOutcome::Failed) return kFailedCause;
    const bool is_humans = negotiation.outcome == NegotiationOutcome::Cancelled && to.is_released;
    return is_humans ? kReleasedCause : kNegotiationCause;
}

Result<void> send_end(const Writing& to, const Run& run, const Proposal& plan) {
    for (const Party& party : run.parties) {
        if (!is_notified_of_end(party)) continue;
        const bool is_bound =
            run.negotiation.state == NegotiationState::Finalized &&
            std::any_of(plan.parts.begin(), plan.parts.end(),
                        [&](const PlanPart& part) { return part.agent_id == party.agent_id; });
        wire::NegotiationEnded ended;
        ended.negotiation_id = run.negotiation.negotiation_id;
        ended.demand_id = run.negotiation.demand_id;
        ended.outcome = run.negotiation.outcome;
        ended.reason = run.negotiation.reason;
        ended.is_bound = is_bound;
        ended.notice = notice_of(run);
        json payload = wire::to_json(ended);
        if (is_bound) {
            payload["proposal"] = proposal_for(plan, party.agent_id, run.negotiation.shows_terms,
                                               kOthersTextMax, ended.notice);
        }
        A2H_TRY(send(
            to, run.negotiation, party.agent_id,
            {wire::DemandMessageType::NegotiationEnded, "end", cause_of_end(to, run.negotiation)},
            payload));
    }
    return {};
}

Result<void> notify_requester(const Writing& to, const Run& run) {
    const std::string key = "plan.news_" + std::string(to_string(run.negotiation.outcome));
    Notification news;
    news.agent_id = run.negotiation.agent_id;
    news.kind = "negotiation.ended";
    news.body_json = wire::canonical_json(
        json{{"text", i18n::text(to.policy.language, key,
                                 {{"demand", preview(printable(run.negotiation.raw_input))}})}});
    news.created_at_ms = to.now_ms;
    return consent::notify_human(to.db, news, to.policy, to.now_ms);
}

Result<void> begin_sub_demands(const Writing& to, const Run& run, const Thoughts& thoughts) {
    if (!run.negotiation.parent_negotiation_id.empty())
        return {};  // sub-demands have no sub-demands (R36)
    for (const Negotiation& sub : thoughts.sub_demands) {
        A2H_TRY(write_submitted(to, sub));
        const auto wanted = wire::parse_understanding(sub.understanding_json).surface_demand;
        A2H_TRY(record_subnet(to.db, run.negotiation, sub, wanted, to.now_ms));
    }
    return {};
}

/// Leaves out everybody with whom anything else is open, so that *agreed* cannot answer it. Nobody
/// is bound without being notified. Returns whether this has changed the result.
Result<bool> leave_out_of_end(const Writing& to, Run& run) {
    int left_out = 0;
    for (const PartyState state :
         {PartyState::Participating, PartyState::Invited, PartyState::Silent}) {
        A2H_ASSIGN_OR_RETURN(const int these, leave_out_open(to, run, state));
        left_out += these;
    }
    if (left_out > 0 && final_plan(run.proposal, run.feedback).parts.empty()) {
        begin_end(run, NegotiationOutcome::Failed, "no_participants");
    }
    return left_out > 0;
}

}  // namespace

Result<void> write_concluded(const Writing& to, Run& run, const Thoughts& thoughts) {
    bool has_changed = false;
    if (holds(run.negotiation)) {
        A2H_ASSIGN_OR_RETURN(has_changed, leave_out_of_end(to, run));
    }
    const bool is_final_plan = holds(run.negotiation);
    const Proposal plan = final_plan(run.proposal, run.feedback);
    const bool is_cancelled = run.negotiation.outcome == NegotiationOutcome::Cancelled;
    const bool takes_thoughts = !has_changed && thoughts.gaps.has_value();
    const std::vector<Gap> gaps = is_cancelled     ? std::vector<Gap>()
                                  : takes_thoughts ? *thoughts.gaps
                                                   : gaps_of(run);
    run.negotiation.gaps_json = wire::canonical_json(wire::to_json(gaps));
    if (run.negotiation.outcome != NegotiationOutcome::Agreed && !is_cancelled) {
        run.negotiation.compromise_json =
            has_changed || thoughts.compromise_json.empty()
                ? wire::canonical_json(to_json(compromise_of(run, gaps)))
                : thoughts.compromise_json;
    }
    run.negotiation.state = is_final_plan ? NegotiationState::Finalized : NegotiationState::Failed;
    A2H_TRY(update(to, run.negotiation));
    A2H_TRY(is_final_plan ? record_finalized(to.db, run.negotiation, plan, to.now_ms)
                          : record_failed(to.db, run.negotiation, run.proposal, to.now_ms));
    if (!gaps.empty()) A2H_TRY(record_gaps(to.db, run.negotiation, gaps, to.now_ms));
    A2H_TRY(send_end(to, run, plan));
    if (!has_changed) A2H_TRY(begin_sub_demands(to, run, thoughts));
    return notify_requester(to, run);
}

}  // namespace a2h::collab
