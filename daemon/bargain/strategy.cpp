#include "daemon/bargain/strategy.h"

#include <algorithm>
#include <array>

namespace a2h::bargain {
namespace {

bool is_amount(std::int64_t minor) {
    return minor >= 1 && minor <= kMoneyMinorMax;
}

/// True if `a` is better than `b` for the given side.
bool is_better(Side side, std::int64_t a, std::int64_t b) {
    return side == Side::Sell ? a > b : a < b;
}

bool is_within(const Strategy& strategy, std::int64_t minor) {
    return !is_better(strategy.side, strategy.limit_minor, minor);
}

std::int64_t room_of(const Strategy& strategy) {
    return std::max(strategy.opening_minor, strategy.limit_minor) -
           std::min(strategy.opening_minor, strategy.limit_minor);
}

struct Size {
    std::int64_t below;  ///< in units of the currency; 0: everything else
    std::int64_t step;
};
constexpr std::array<Size, 5> kSizes = {
    {{100, 1}, {1'000, 10}, {10'000, 50}, {100'000, 100}, {0, 1'000}}};
/// Smaller steps, in units, to use if a step is too coarse; after them, whole cents.
constexpr std::array<std::int64_t, 6> kSteps = {1'000, 100, 50, 10, 5, 1};

std::int64_t unit_of(const std::string& currency) {
    std::int64_t unit = 1;
    for (int digit = minor_digits(currency); digit > 0; --digit)
        unit *= 10;
    return unit;
}

std::int64_t step_for(std::int64_t amount_minor, std::int64_t unit, std::int64_t room_minor,
                      int parts) {
    const auto size = std::find_if(kSizes.begin(), kSizes.end(), [&](const Size& one) {
        return one.below == 0 || amount_minor < one.below * unit;
    });
    for (const std::int64_t step : kSteps) {
        if (step <= size->step && step * unit * std::max(parts, 1) <= room_minor) {
            return step * unit;
        }
    }
    return 1;
}

/// The state of the bargain after the moves so far.
struct Standing {
    int our_offers = 0;
    int our_places = 0;  ///< different amounts among them
    std::int64_t our_last = 0;
    std::int64_t their_best = 0;
    bool they_moved = true;  ///< towards us, with their last offer
};

Standing standing_of(const Strategy& strategy, const std::vector<Move>& history) {
    Standing standing;
    for (const Move& move : history) {
        if (move.kind != MoveKind::Offer) continue;
        if (move.is_ours) {
            if (standing.our_offers == 0 || move.price.minor != standing.our_last) {
                ++standing.our_places;
            }
            ++standing.our_offers;
            standing.our_last = move.price.minor;
        } else {
            standing.they_moved = standing.their_best == 0 ||
                                  is_better(strategy.side, move.price.minor, standing.their_best);
            if (standing.they_moved) standing.their_best = move.price.minor;
        }
    }
    return standing;
}

/// The offer at `place` between opening and limit, rounded as if there were `parts` steps.
std::int64_t offer_at(const Strategy& strategy, int place, int parts) {
    const int steps = strategy.reaches_limit ? strategy.rounds - 1 : strategy.rounds;
    if (place <= 0 || steps <= 0) return strategy.opening_minor;
    const std::int64_t room = room_of(strategy);
    const int left = std::max(steps - place, 0);
    // Quadratic, so that steps become smaller near the limit. Divided first to avoid an overflow.
    const std::int64_t whole = std::int64_t{steps} * steps;
    const std::int64_t square = std::int64_t{left} * left;
    const std::int64_t kept = room / whole * square + room % whole * square / whole;
    const std::int64_t exact =
        strategy.side == Side::Sell ? strategy.limit_minor + kept : strategy.limit_minor - kept;
    const std::int64_t round = rounded(exact, strategy.side, strategy.currency, room, parts);
    return is_better(strategy.side, round, strategy.opening_minor) ? strategy.opening_minor : round;
}

/// Our next offer. If the peer has not moved, we repeat our last offer, unless the strategy ends at
/// the limit.
std::int64_t offer_after(const Strategy& strategy, const Standing& standing) {
    if (standing.our_offers == 0) return strategy.opening_minor;
    const bool is_last = standing.our_offers == strategy.rounds - 1;
    const bool ends_at_limit = is_last && strategy.reaches_limit;
    if (!standing.they_moved && !ends_at_limit) return standing.our_last;
    const int place = ends_at_limit ? strategy.rounds - 1 : standing.our_places;
    std::int64_t planned = planned_offer(strategy, place);
    // If the peer has moved, we move too: the smallest steps have finer amounts.
    if (planned == standing.our_last) {
        planned = offer_at(strategy, place, strategy.rounds * strategy.rounds);
    }
    return is_better(strategy.side, planned, standing.our_last) ? standing.our_last : planned;
}

}  // namespace

bool is_sound(const Strategy& strategy) {
    return is_currency_code(strategy.currency) && is_amount(strategy.limit_minor) &&
           is_amount(strategy.opening_minor) && is_within(strategy, strategy.opening_minor) &&
           strategy.rounds >= 1 && strategy.rounds <= kBargainRoundsMax;
}

std::int64_t rounded(std::int64_t amount_minor, Side side, const std::string& currency,
                     std::int64_t room_minor, int parts) {
    const std::int64_t step = step_for(amount_minor, unit_of(currency), room_minor, parts);
    const std::int64_t over = amount_minor % step;
    if (over == 0) return amount_minor;
    const std::int64_t down = amount_minor - over;
    const std::int64_t result = side == Side::Sell ? down + step : down;
    return is_amount(result) ? result : amount_minor;
}

std::int64_t planned_offer(const Strategy& strategy, int place) {
    return offer_at(strategy, place, strategy.rounds);
}

Next next_move(const Strategy& strategy, const std::vector<Move>& history, UnixMs now_ms) {
    if (!is_sound(strategy)) return {NextStep::Ask, 0};
    if (history.empty()) return {NextStep::Counter, strategy.opening_minor};
    const Move& last = history.back();
    if (std::any_of(history.begin(), history.end(),
                    [](const Move& move) { return move.kind != MoveKind::Offer; })) {
        return {NextStep::None, 0};
    }
    if (last.is_ours) {
        return {now_ms - last.at_ms >= kSilenceMs ? NextStep::Close : NextStep::None, 0};
    }
    if (last.price.currency != strategy.currency || !is_amount(last.price.minor)) {
        return {NextStep::Ask, 0};
    }
    const Standing standing = standing_of(strategy, history);
    const int rounds_left = strategy.rounds - standing.our_offers;
    const std::int64_t offer = offer_after(strategy, standing);
    const bool is_good = !is_better(strategy.side, offer, last.price.minor);
    if (is_within(strategy, last.price.minor) && (is_good || rounds_left <= 1)) {
        return {NextStep::Accept, last.price.minor};
    }
    if (rounds_left <= 0) return {NextStep::Close, 0};
    return {NextStep::Counter, offer};
}

}  // namespace a2h::bargain
