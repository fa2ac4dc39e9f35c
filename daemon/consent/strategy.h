#pragma once

#include <cstdint>
#include <vector>

#include "core/base/clock.h"
#include "core/base/money.h"

namespace a2h::consent {

// How a price is negotiated between two agents, as pure functions: no clock, no I/O, no randomness.
// Which words carry an amount and who allows it is not looked at here. Thread: any.
// Source: daemon/bargain/README.md.

enum class Side { Sell, Buy };

/// Units: minor units of `currency`.
struct Strategy {
    Side side = Side::Sell;
    std::string currency;
    std::int64_t limit_minor = 0;    ///< the floor of who sells, the ceiling of who buys
    std::int64_t opening_minor = 0;  ///< the first offer; never worse for us than the limit
    int rounds = 1;                  ///< offers of ours at most
    /// The last offer may be the limit itself, or as near as rounding allows. Otherwise a part of
    /// the way to it is never offered.
    bool reaches_limit = false;
};

/// Whether it can be followed: a limit and an opening that are amounts and in order, 1 to
/// `kRoundsMax` rounds.
constexpr int kRoundsMax = 10;
bool is_sound(const Strategy& strategy);

enum class MoveKind { Offer, Accept, Close };

/// One message of the dialogue that was understood as a step of it.
struct Move {
    bool is_ours = false;
    MoveKind kind = MoveKind::Offer;
    Money price;  ///< of an offer; of an acceptance what was accepted
    UnixMs at_ms = 0;
};

enum class NextStep {
    None,     ///< it is not our turn, or it is over
    Counter,  ///< offer `amount_minor`
    Accept,   ///< take the peer's last offer, `amount_minor`
    Close,    ///< say politely that it ends here
    Ask,      ///< the human: what came is nothing that the strategy knows
};

struct Next {
    NextStep step = NextStep::None;
    std::int64_t amount_minor = 0;  ///< of Counter and Accept

    bool operator==(const Next&) const = default;
};

/// How long our offer may stay unanswered before we say that it ends.
constexpr UnixMs kSilenceMs = 24LL * 3600 * 1000;

/// What to do now. `history` is the dialogue so far, oldest first; an empty one means that we
/// begin.
///
/// Our offers go one way only, never past the limit, and stand still while the peer does; there are
/// `rounds` of them at most, each after a word of the peer. Taken is what is within the limit and
/// either as good as our next offer would be or the last thing we could get.
Next next_move(const Strategy& strategy, const std::vector<Move>& history, UnixMs now_ms);

/// The offer at `place` (0 is the opening) on the way from the opening to the limit: steps become
/// smaller, and amounts are round ones as people name them, away from the limit.
std::int64_t planned_offer(const Strategy& strategy, int place);

/// `amount_minor` as people round it: whole units up to 100, tens up to 1 000, fifties up to 10
/// 000, then hundreds and thousands; finer where `room_minor` would not hold `parts` such steps. Up
/// for who sells, down for who buys.
std::int64_t rounded(std::int64_t amount_minor, Side side, const std::string& currency,
                     std::int64_t room_minor, int parts);

}  // namespace a2h::consent
