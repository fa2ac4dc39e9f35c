#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/domain/demand.h"
#include "core/wire/demand_json.h"

namespace a2h::collab {

/// A negotiation as it stands.
struct Run {
    Negotiation negotiation;
    wire::Understanding demand;
    std::vector<Party> parties;      ///< by place
    std::vector<Feedback> feedback;  ///< of the present round
    Proposal proposal;               ///< the newest; version 0: there is none
};

/// Null when there is none.
const Party* party_in(const Run& run, const std::string& agent_id);
const PlanPart* part_in(const std::vector<PlanPart>& parts, const std::string& agent_id);
/// Whether this agent has said yes itself: silence that was counted is none.
bool has_accepted(const std::vector<Feedback>& feedback, const std::string& agent_id);

/// What is to be done next. Each is one transaction, which leads to a state that asks for another
/// one or waits.
enum class Step {
    Wait,           ///< for answers or a deadline, or for nothing because it has ended
    Filter,         ///< Created: find out who may be invited
    Broadcast,      ///< Broadcasting: queue the invitations
    EndCollecting,  ///< Collecting: everybody has answered, or the time is over
    Propose,        ///< Aggregating: make the next version of the plan
    Distribute,     ///< ProposalSent: queue the plan for the participants
    Replace,        ///< Negotiating: a core participant has left and somebody can take the place
    Evaluate,       ///< Negotiating: everybody has answered, or the time is over, or it is lost
    Conclude        ///< Aggregating with an outcome: gaps, compromise, and the end
};

/// `is_due`: the deadline of `run.negotiation` has come.
Step next_step(const Run& run, bool is_due);

/// Tags of the demand that a participant covered who has left in this round, and that no other one
/// covers, nor anybody who was asked in their place.
std::vector<std::string> lost_tags(const Run& run);
/// The best of the reserve for one of `tags`; nullptr when there is none, or no round is left.
const Party* replacement_for(const Run& run, const std::vector<std::string>& tags);
/// Whether the plan of this round lacks somebody who has left, so that it cannot be agreed.
bool has_hole(const Run& run);

/// What of `proposal` binds: the parts of those who accepted this very version themselves (R32).
Proposal final_plan(const Proposal& proposal, const std::vector<Feedback>& feedback);

}  // namespace a2h::collab
