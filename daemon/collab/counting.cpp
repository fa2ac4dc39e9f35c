#include "daemon/collab/counting.h"

#include <algorithm>

namespace a2h::collab {
namespace {

const Feedback* feedback_by(const std::vector<Feedback>& feedback, const std::string& agent_id) {
    const auto found = std::find_if(feedback.begin(), feedback.end(), [&](const Feedback& each) {
        return each.agent_id == agent_id;
    });
    return found == feedback.end() ? nullptr : &*found;
}

void add(Count& count, const Feedback* said) {
    if (!said) {
        ++count.unanswered;
        return;
    }
    switch (said->type) {
        case FeedbackType::Accept:
            ++count.accepts;
            if (said->is_presumed) ++count.presumed;
            return;
        case FeedbackType::Negotiate:
            ++count.negotiates;
            return;
        case FeedbackType::Withdraw:
            ++(said->is_presumed ? count.rejects : count.withdrawals);
            return;
    }
}

bool has_price(const PlanPart& part) {
    return part.price && part.price->amount_minor > 0;
}

}  // namespace

std::vector<Party> participants_of(const std::vector<Party>& parties,
                                   const std::vector<Feedback>& feedback, int round) {
    std::vector<Party> shown;
    for (const Party& party : parties) {
        const bool takes_part = party.state == PartyState::Participating;
        const bool left_now =
            party.state == PartyState::Withdrawn && feedback_by(feedback, party.agent_id);
        if ((takes_part || left_now) && party.joined_round < round) shown.push_back(party);
    }
    return shown;
}

Count count(const std::vector<Party>& participants, const std::vector<Feedback>& feedback) {
    Count counted;
    counted.participants = static_cast<int>(participants.size());
    for (const Party& party : participants)
        add(counted, feedback_by(feedback, party.agent_id));
    return counted;
}

bool is_lost(const Count& count) {
    return 2 * (count.rejects + count.withdrawals) > count.participants;
}

Verdict verdict_of(const Count& count, int round) {
    const bool somebody_accepted = count.real_accepts() > 0;
    if (count.participants == 0 || is_lost(count)) return Verdict::Failed;
    if (5 * count.accepts >= 4 * count.participants && somebody_accepted) return Verdict::Agreed;
    if (round < kNegotiationRoundsMax) return Verdict::NextRound;
    const bool more_for_it = count.accepts > count.rejects + count.withdrawals;
    return more_for_it && somebody_accepted ? Verdict::Partial : Verdict::Failed;
}

OnTimeout silence_rule(const Negotiation& negotiation, const Proposal& proposal) {
    if (negotiation.on_timeout != OnTimeout::Default) return negotiation.on_timeout;
    const bool has_money = std::any_of(proposal.parts.begin(), proposal.parts.end(), has_price);
    return has_money ? OnTimeout::Decline : OnTimeout::Accept;
}

std::vector<Feedback> presumed_feedback(const Negotiation& negotiation, const Proposal& proposal,
                                        const std::vector<Party>& participants,
                                        const std::vector<Feedback>& feedback, UnixMs now_ms) {
    const OnTimeout rule = silence_rule(negotiation, proposal);
    std::vector<Feedback> presumed;
    if (rule == OnTimeout::Ignore) return presumed;
    for (const Party& party : participants) {
        if (feedback_by(feedback, party.agent_id)) continue;
        Feedback silence;
        silence.negotiation_id = negotiation.negotiation_id;
        silence.round = negotiation.round;
        silence.agent_id = party.agent_id;
        silence.type = rule == OnTimeout::Accept ? FeedbackType::Accept : FeedbackType::Withdraw;
        silence.is_presumed = true;
        silence.at_ms = now_ms;
        presumed.push_back(std::move(silence));
    }
    return presumed;
}

}  // namespace a2h::collab
