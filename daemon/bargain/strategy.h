#pragma once

#include <cstdint>
#include <vector>

#include "core/base/clock.h"
#include "core/base/money.h"

namespace a2h::bargain {

// How two agents haggle about a price, as pure functions without clock, I/O or randomness.
// They know neither words nor mandates.
//
// Thread:  any.
// Source:  daemon/bargain/README.md.

enum class Side { Sell, Buy };

/// Units: minor units of `currency`.
struct Strategy {
    Side side = Side::Sell;
    std::string currency;
    std::int64_t limit_minor = 0;    ///< the lowest price of a seller, the highest of a buyer
    std::int64_t opening_minor = 0;  ///< our first offer; never worse for us than the limit
    int rounds = 1;                  ///< the most offers that we make
    /// Whether the last offer may be the limit itself, or as near as rounding allows. If not, we
    /// never offer the last part of the way to the limit.
    bool reaches_limit = false;
};

constexpr int kBargainRoundsMax = 10;

/// Whether the strategy can be followed: limit and opening are amounts in the right order, and
/// there are 1 to `kBargainRoundsMax` rounds.
bool is_sound(const Strategy& strategy);

enum class MoveKind { Offer, Accept, Close };

/// One message that was understood as a step of the bargain.
struct Move {
    bool is_ours = false;
    MoveKind kind = MoveKind::Offer;
    Money price;  ///< the offered or accepted price
    UnixMs at_ms = 0;
};

enum class NextStep {
    None,     ///< it is not our turn, or the bargain is over
    Counter,  ///< offer `amount_minor`
    Accept,   ///< accept the peer's last offer, `amount_minor`
    Close,    ///< close the bargain politely
    Ask,      ///< ask the human, because the strategy does not cover the last move
};

struct Next {
    NextStep step = NextStep::None;
    std::int64_t amount_minor = 0;  ///< for Counter and Accept

    bool operator==(const Next&) const = default;
};

/// Under a mandate that names no peer, at most so many bargains without an agreement in
/// `kUnagreedForMs`, whoever they are with: many peers can be one, who looks for the limit. Further
/// ones are the human's.
constexpr std::int64_t kUnagreedMax = 10;
constexpr UnixMs kUnagreedForMs = 24LL * 3600 * 1000;
/// How long our offer may stay unanswered before we close the bargain.
constexpr UnixMs kSilenceMs = 24LL * 3600 * 1000;

/// Chooses the next move. `history` holds all moves so far, oldest first; it is empty if we begin.
///
/// Our offers move in one direction, never pass the limit, and stay the same while the peer does
/// not move. There are at most `rounds` of them, each in answer to the peer. An offer is accepted
/// if it is within the limit and either at least as good for us as our next offer or the last one
/// we could get.
Next next_move(const Strategy& strategy, const std::vector<Move>& history, UnixMs now_ms);

/// The offer at `place` (0 is the opening) between opening and limit. Steps become smaller, and
/// amounts are rounded away from the limit, as people do.
std::int64_t planned_offer(const Strategy& strategy, int place);

/// `amount_minor` rounded as people do: to whole units up to 100, tens up to 1 000, fifties up to
/// 10 000, then hundreds and thousands; finer if `room_minor` does not hold `parts` such steps.
/// Rounds up for a seller and down for a buyer.
std::int64_t rounded(std::int64_t amount_minor, Side side, const std::string& currency,
                     std::int64_t room_minor, int parts);

}  // namespace a2h::bargain
