#pragma once

#include <string>
#include <utility>
#include <vector>

#include "daemon/collab/negotiation.h"

namespace a2h::test {

/// An agent that has answered an invitation, or was invited.
inline Party party(const std::string& agent_id, PartyState state,
                   std::vector<std::string> tags = {}) {
    Party made;
    made.negotiation_id = "collab-1";
    made.agent_id = agent_id;
    made.display_name = "Name of " + agent_id;
    made.tags = std::move(tags);
    made.state = state;
    if (state == PartyState::Participating) {
        Offer offer;
        offer.decision = OfferDecision::Participate;
        offer.contribution = "what " + agent_id + " brings";
        made.offer = offer;
    }
    return made;
}

inline Feedback feedback(const std::string& agent_id, FeedbackType type, int round = 1) {
    Feedback made;
    made.negotiation_id = "collab-1";
    made.round = round;
    made.agent_id = agent_id;
    made.type = type;
    return made;
}

inline collab::Run run_in(NegotiationState state, std::vector<Party> parties = {}, int round = 0) {
    collab::Run run;
    run.negotiation.negotiation_id = "collab-1";
    run.negotiation.demand_id = "d-1";
    run.negotiation.agent_id = "ag_requester";
    run.negotiation.state = state;
    run.negotiation.round = round;
    run.demand.surface_demand = "A room and a speaker";
    run.parties = std::move(parties);
    run.proposal.version = round;
    return run;
}

}  // namespace a2h::test
