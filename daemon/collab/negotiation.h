#pragma once

#include <string>
#include <vector>

#include "core/domain/demand.h"
#include "core/wire/demand_json.h"

namespace a2h::collab {

// The choice of a negotiation's next step. Pure.
//
// Thread:  any.

/// The state of a negotiation.
struct Run {
    Negotiation negotiation;
    wire::Understanding demand;
    std::vector<Party> parties;      ///< by place
    std::vector<Feedback> feedback;  ///< of the current round
    Proposal proposal;               ///< the newest one; version 0 means that there is none
};

/// Returns the party with this id; null if there is none.
const Party* party_in(const Run& run, const std::string& agent_id);
/// Returns this agent's part of a plan; null if it has none.
const PlanPart* part_in(const std::vector<PlanPart>& parts, const std::string& agent_id);
/// Whether this agent has accepted itself; counted silence is not acceptance.
bool has_accepted(const std::vector<Feedback>& feedback, const std::string& agent_id);

/// The next step. Each step is one transaction, and leads to a state that needs another step or
/// waits.
enum class Step {
    Wait,           ///< waits for answers or a deadline, or the negotiation has ended
    Filter,         ///< Created: find the agents to invite
    Broadcast,      ///< Broadcasting: queue the invitations
    EndCollecting,  ///< Collecting: everybody has answered, or the deadline has passed
    Propose,        ///< Aggregating: make the next version of the plan
    Distribute,     ///< ProposalSent: queue the plan for the participants
    Replace,   ///< Negotiating: an essential participant has left and another agent can take the
               ///< place
    Evaluate,  ///< Negotiating: everybody has answered, the deadline has passed, or the round has
               ///< failed already
    Conclude   ///< Aggregating with an outcome: gaps, compromise, and the end
};

/// Returns the step that `run` needs now. `is_due`: the deadline of `run.negotiation` has passed.
Step next_step(const Run& run, bool is_due);

/// Whether `step` counts somebody's silence or sends what could answer something that its receiver
/// has said. It is taken only after the mail that waits at the broker was read.
///
/// Source:  docs/rulings.md, R46.
bool must_read_first(const Run& run, Step step);
/// Whether the negotiation ends, or has ended, with something agreed.
bool holds(const Negotiation& negotiation);

/// The demand's tags that were covered by a participant who left in this round, and that neither
/// another participant nor an agent asked as a replacement covers.
std::vector<std::string> lost_tags(const Run& run);
/// The best agent of the reserve for one of `tags`. nullptr if there is none or if no round is
/// left.
const Party* replacement_for(const Run& run, const std::vector<std::string>& tags);
/// Whether the plan of this round needs somebody who has left, so that it cannot be agreed on.
bool has_hole(const Run& run);

/// The binding part of `proposal`: the parts of those who accepted this version themselves (R32).
Proposal final_plan(const Proposal& proposal, const std::vector<Feedback>& feedback);

}  // namespace a2h::collab
