#pragma once

#include <vector>

#include "core/domain/demand.h"

namespace a2h::collab {

// How the answers of a round are counted. Pure.
//
// Thread:  any.

/// The answers of the participants of a round. Each participant is counted, including those who
/// have not answered.
struct Count {
    int participants = 0;
    int accepts = 0;   ///< including presumed ones
    int presumed = 0;  ///< those of `accepts` that are silence
    int negotiates = 0;
    int rejects = 0;  ///< silence that counts as a no
    int withdrawals = 0;
    int unanswered = 0;

    int real_accepts() const { return accepts - presumed; }
};

/// The agents that the proposal of `round` was shown to: those who had answered before it was made
/// and have not left in an earlier round. `feedback` is that of this round.
std::vector<Party> participants_of(const std::vector<Party>& parties,
                                   const std::vector<Feedback>& feedback, int round);

/// Counts `feedback`, which is that of one round.
Count count(const std::vector<Party>& participants, const std::vector<Feedback>& feedback);

enum class Verdict { Agreed, Partial, Failed, NextRound };

/// True if no further answer can prevent the round from failing (R32, R34).
bool is_lost(const Count& count);
/// Returns the verdict once everybody has answered, or the deadline has passed and silence has been
/// counted.
///
/// Source:  R32.
Verdict verdict_of(const Count& count, int round);

/// How silence counts: `negotiation.on_timeout`, or what its default means for this proposal (R31).
OnTimeout silence_rule(const Negotiation& negotiation, const Proposal& proposal);
/// The feedback that stands for silence, one for each participant who has given none. Empty if
/// silence is ignored.
std::vector<Feedback> presumed_feedback(const Negotiation& negotiation, const Proposal& proposal,
                                        const std::vector<Party>& participants,
                                        const std::vector<Feedback>& feedback, UnixMs now_ms);

}  // namespace a2h::collab
