#pragma once

#include <vector>

#include "core/domain/demand.h"

namespace a2h::collab {

/// What the participants of a round have said. All of them are counted, whoever has answered.
struct Count {
    int participants = 0;
    int accepts = 0;   ///< presumed ones too
    int presumed = 0;  ///< of `accepts`: silences
    int negotiates = 0;
    int rejects = 0;  ///< silences that count as a no
    int withdrawals = 0;
    int unanswered = 0;

    int real_accepts() const { return accepts - presumed; }
};

/// Whom the proposal of `round` was shown to: who had answered before it was made, and has not left
/// in an earlier round. `feedback` is that of this round.
std::vector<Party> participants_of(const std::vector<Party>& parties,
                                   const std::vector<Feedback>& feedback, int round);

Count count(const std::vector<Party>& participants, const std::vector<Feedback>& feedback);

enum class Verdict { Agreed, Partial, Failed, NextRound };

/// True when nobody's answer can change that it fails (R32, R34).
bool is_lost(const Count& count);
/// What follows once everybody has answered, or their time is over and silence has been counted.
/// Source: R32.
Verdict verdict_of(const Count& count, int round);

/// How silence counts: `negotiation.on_timeout`, and what its default means for this proposal
/// (R31).
OnTimeout silence_rule(const Negotiation& negotiation, const Proposal& proposal);
/// The feedback that silence is taken for, of everybody who has given none; none where it is
/// ignored.
std::vector<Feedback> presumed_feedback(const Negotiation& negotiation, const Proposal& proposal,
                                        const std::vector<Party>& participants,
                                        const std::vector<Feedback>& feedback, UnixMs now_ms);

}  // namespace a2h::collab
