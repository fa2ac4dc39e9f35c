// Checks the invariants of `next_move` with a million random bargains and with examples.

#include "daemon/bargain/strategy.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/property.h"

using namespace a2h;
using namespace a2h::bargain;

namespace {

constexpr int kBargains = 1'000'000;
constexpr UnixMs kStart = 1'760'000'000'000;

Strategy strategy_of(Side side, std::int64_t opening, std::int64_t limit, int rounds,
                     bool reaches_limit = true) {
    return {side, "CNY", limit, opening, rounds, reaches_limit};
}

Move offer(bool is_ours, std::int64_t minor, std::string currency = "CNY") {
    return {is_ours, MoveKind::Offer, {minor, std::move(currency)}, kStart};
}

/// The strategy's answers to their offers, one after the other, in whole units.
std::vector<std::string> answers(const Strategy& strategy, const std::vector<int>& theirs) {
    std::vector<Move> history;
    std::vector<std::string> all;
    for (const int units : theirs) {
        history.push_back(offer(false, std::int64_t{units} * 100));
        const Next next = next_move(strategy, history, kStart);
        switch (next.step) {
            case NextStep::Counter:
                all.push_back(std::to_string(next.amount_minor / 100));
                history.push_back(offer(true, next.amount_minor));
                break;
            case NextStep::Accept:
                all.push_back("accept " + std::to_string(next.amount_minor / 100));
                history.push_back({true, MoveKind::Accept, {next.amount_minor, "CNY"}, kStart});
                break;
            case NextStep::Close:
                all.emplace_back("close");
                history.push_back({true, MoveKind::Close, {}, kStart});
                break;
            case NextStep::None:
                all.emplace_back("nothing");
                break;
            case NextStep::Ask:
                all.emplace_back("ask");
                break;
        }
    }
    return all;
}

using Words = std::vector<std::string>;

/// Fast, and the same on every machine: a failure is found again by its number. Or throws what was
/// written down for it, then nothing but zeros: so a failing bargain can be made smaller.
class Dice {
  public:
    explicit Dice(std::uint64_t seed) : state_(seed) {}
    explicit Dice(std::vector<std::uint64_t> throws) : throws_(std::move(throws)) {}
    std::int64_t pick(std::int64_t from, std::int64_t to) {
        const auto range = static_cast<std::uint64_t>(to - from) + 1;
        return from + static_cast<std::int64_t>(next() % range);
    }
    bool one_in(int count) { return pick(1, count) == 1; }
    /// Small, human and enormous amounts alike.
    std::int64_t amount() {
        constexpr std::int64_t kMost[] = {9, 999, 100'000, 10'000'000, kMoneyMinorMax};
        return pick(1, kMost[pick(0, 4)]);
    }

  private:
    /// SplitMix64: an engine of the library takes longer to seed than a bargain lasts.
    std::uint64_t next() {
        if (throws_) return thrown_ < throws_->size() ? (*throws_)[thrown_++] : 0;
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return z ^ (z >> 31);
    }

    std::uint64_t state_ = 0;
    std::optional<std::vector<std::uint64_t>> throws_;
    std::size_t thrown_ = 0;
};

Strategy random_strategy(Dice& dice, Side side, const std::string& currency) {
    std::int64_t low = dice.amount();
    std::int64_t high = dice.amount();
    if (low > high) std::swap(low, high);
    return {side,
            currency,
            side == Side::Sell ? low : high,
            side == Side::Sell ? high : low,
            static_cast<int>(dice.pick(1, kBargainRoundsMax)),
            dice.one_in(2)};
}

/// A random strategy of either side.
Strategy any_strategy(Dice& dice) {
    const Side side = dice.one_in(2) ? Side::Sell : Side::Buy;
    return random_strategy(dice, side, dice.one_in(5) ? "JPY" : "CNY");
}

/// A peer that haggles, repeats, goes back, or names another currency.
Move random_word(Dice& dice, const Strategy& ours, std::int64_t before) {
    std::int64_t minor = dice.amount();
    if (dice.one_in(2)) {
        minor = dice.pick(std::min(ours.limit_minor, ours.opening_minor),
                          std::max(ours.limit_minor, ours.opening_minor));
    }
    if (before > 0 && dice.one_in(4)) minor = before;
    if (dice.one_in(40)) minor = dice.one_in(2) ? -minor : 0;
    if (dice.one_in(40)) minor = kMoneyMinorMax + dice.pick(1, 1000);
    return offer(false, minor, dice.one_in(40) ? "XTS" : ours.currency);
}

/// `a` is at least as good as `b` for who is on `side`.
bool is_as_good(Side side, std::int64_t a, std::int64_t b) {
    return side == Side::Sell ? a >= b : a <= b;
}

/// The first invariant that is violated; empty when all hold. CHECK is too slow for so many.
std::string broken_promise(const Strategy& ours, Dice& dice) {
    std::vector<Move> history;
    if (dice.one_in(4)) history.push_back(offer(true, ours.opening_minor));
    int offers = static_cast<int>(history.size());
    std::int64_t last = history.empty() ? 0 : ours.opening_minor;
    std::int64_t theirs = 0;
    for (int words = 0; words <= ours.rounds + 1; ++words) {
        history.push_back(random_word(dice, ours, theirs));
        const Money heard = history.back().price;
        theirs = heard.minor;
        const Next next = next_move(ours, history, kStart);
        const bool strange =
            heard.currency != ours.currency || heard.minor < 1 || heard.minor > kMoneyMinorMax;
        if (strange != (next.step == NextStep::Ask))
            return "what is strange asks, nothing else does";
        if (strange) return {};
        if (next.step == NextStep::None) return "a peer's word gets an answer";
        if (next.step == NextStep::Close) {
            if (offers < ours.rounds) return "it ends only after the last round";
            if (is_as_good(ours.side, heard.minor, ours.limit_minor)) return "takes what it may";
            history.push_back({true, MoveKind::Close, {}, kStart});
        } else if (next.step == NextStep::Accept) {
            if (next.amount_minor != heard.minor) return "what is accepted is what was offered";
            if (!is_as_good(ours.side, heard.minor, ours.limit_minor)) return "accepted past it";
            history.push_back({true, MoveKind::Accept, heard, kStart});
        } else {
            if (!is_as_good(ours.side, next.amount_minor, ours.limit_minor))
                return "offered past it";
            if (!is_as_good(ours.side, ours.opening_minor, next.amount_minor))
                return "above opening";
            if (offers > 0 && !is_as_good(ours.side, last, next.amount_minor)) return "monotone";
            if (is_as_good(ours.side, heard.minor, next.amount_minor)) return "worse than it could";
            if (++offers > ours.rounds) return "rounds";
            last = next.amount_minor;
            history.push_back(offer(true, last, ours.currency));
        }
        if (next_move(ours, history, kStart).step != NextStep::None) return "twice in a row";
        if (next.step != NextStep::Counter) return {};
    }
    return "it never ends";
}

struct Ending {
    bool agreed = false;
    std::int64_t minor = 0;
    int words = 0;
};

/// The buyer begins; each sees the other's words.
Ending between(const Strategy& seller, const Strategy& buyer) {
    std::vector<Move> sold;
    std::vector<Move> bought;
    for (int words = 1; words <= 2 * kBargainRoundsMax + 2; ++words) {
        const bool is_buyer = words % 2 == 1;
        const Next next = next_move(is_buyer ? buyer : seller, is_buyer ? bought : sold, kStart);
        if (next.step == NextStep::Accept) return {true, next.amount_minor, words};
        if (next.step != NextStep::Counter) return {false, 0, words};
        (is_buyer ? bought : sold).push_back(offer(true, next.amount_minor));
        (is_buyer ? sold : bought).push_back(offer(false, next.amount_minor));
    }
    return {false, 0, 1'000};
}

}  // namespace

TEST_CASE("a seller comes down in ever smaller steps, and ends at the floor where it may") {
    const Strategy seller = strategy_of(Side::Sell, 300'00, 240'00, 4);
    CHECK(answers(seller, {100, 120, 140, 160, 180}) == Words{"300", "270", "250", "240", "close"});
    Strategy careful = seller;
    careful.reaches_limit = false;
    CHECK(answers(careful, {100, 120, 140, 160, 180}) ==
          Words{"300", "280", "260", "250", "close"});
}

TEST_CASE("a buyer goes up the same way") {
    const Strategy buyer = strategy_of(Side::Buy, 200'00, 260'00, 4);
    CHECK(answers(buyer, {400, 380, 360, 340, 320}) == Words{"200", "230", "250", "260", "close"});
}

TEST_CASE("a peer's concession is answered, even when only small steps are left") {
    const Strategy seller = strategy_of(Side::Sell, 300'00, 279'00, 4, false);
    CHECK(answers(seller, {200, 205, 208, 210}) == Words{"300", "295", "285", "281"});
}

TEST_CASE("a peer that does not move or moves back gets no concession") {
    Strategy seller = strategy_of(Side::Sell, 300'00, 240'00, 4, false);
    CHECK(answers(seller, {100, 100, 100, 100, 100}) == Words{"300", "300", "300", "300", "close"});
    CHECK(answers(seller, {100, 120, 90, 115, 130}) == Words{"300", "280", "280", "280", "close"});
    seller.reaches_limit = true;
    CHECK(answers(seller, {100, 100, 100, 100, 100}) == Words{"300", "300", "300", "240", "close"});
}

TEST_CASE("an offer that is as good as our next one is taken") {
    const Strategy seller = strategy_of(Side::Sell, 300'00, 240'00, 4);
    CHECK(answers(seller, {310}) == Words{"accept 310"});
    CHECK(answers(seller, {200, 270}) == Words{"300", "accept 270"});
    CHECK(answers(seller, {200, 269}) == Words{"300", "270"});
}

TEST_CASE("in the last round everything within the limit is taken, and nothing outside of it") {
    const Strategy seller = strategy_of(Side::Sell, 300'00, 240'00, 2, false);
    CHECK(answers(seller, {200, 240}) == Words{"300", "accept 240"});
    CHECK(answers(seller, {200, 239, 239}) == Words{"300", "260", "close"});
    CHECK(answers(seller, {200, 239, 240}) == Words{"300", "260", "accept 240"});
}

TEST_CASE("another currency and what is no amount ask the human") {
    const Strategy seller = strategy_of(Side::Sell, 300'00, 240'00, 4);
    const Next ask{NextStep::Ask, 0};
    CHECK(next_move(seller, {offer(false, 250'00, "USD")}, kStart) == ask);
    CHECK(next_move(seller, {offer(false, 0)}, kStart) == ask);
    CHECK(next_move(seller, {offer(false, -300'00)}, kStart) == ask);
    CHECK(next_move(seller, {offer(false, kMoneyMinorMax + 1)}, kStart) == ask);
}

TEST_CASE("a strategy that contradicts itself asks") {
    const std::vector<Move> history{offer(false, 250'00)};
    CHECK(next_move(strategy_of(Side::Sell, 200'00, 240'00, 4), history, kStart).step ==
          NextStep::Ask);
    CHECK(next_move(strategy_of(Side::Buy, 300'00, 240'00, 4), history, kStart).step ==
          NextStep::Ask);
    CHECK(next_move(strategy_of(Side::Sell, 300'00, 240'00, 0), history, kStart).step ==
          NextStep::Ask);
    CHECK(next_move(strategy_of(Side::Sell, 300'00, 0, 4), history, kStart).step == NextStep::Ask);
    CHECK(next_move(strategy_of(Side::Sell, 300'00, 240'00, kBargainRoundsMax + 1), history, kStart)
              .step == NextStep::Ask);
}

TEST_CASE("after a day of silence it ends, once") {
    const Strategy seller = strategy_of(Side::Sell, 300'00, 240'00, 4);
    std::vector<Move> history{offer(false, 200'00), offer(true, 300'00)};
    CHECK(next_move(seller, history, kStart + kSilenceMs - 1).step == NextStep::None);
    CHECK(next_move(seller, history, kStart + kSilenceMs).step == NextStep::Close);
    history.push_back({true, MoveKind::Close, {}, kStart + kSilenceMs});
    CHECK(next_move(seller, history, kStart + 10 * kSilenceMs).step == NextStep::None);
}

TEST_CASE("amounts are those that people name, and rounding never passes the limit") {
    const auto up = [](std::int64_t minor, const char* currency = "CNY") {
        return rounded(minor, Side::Sell, currency, kMoneyMinorMax, 1);
    };
    CHECK(up(12'34) == 13'00);
    CHECK(up(123'45) == 130'00);
    CHECK(up(1'234'56) == 1'250'00);
    CHECK(up(12'345'67) == 12'400'00);
    CHECK(up(123'456'78) == 124'000'00);
    CHECK(up(12'345, "JPY") == 12'400);
    CHECK(up(12'345'678, "KWD") == 12'400'000);
    CHECK(rounded(1'234'56, Side::Buy, "CNY", kMoneyMinorMax, 1) == 1'200'00);
    CHECK(rounded(45, Side::Buy, "CNY", kMoneyMinorMax, 1) == 45);
    CHECK(rounded(123'45, Side::Sell, "CNY", 20'00, 4) == 125'00);
    CHECK(rounded(123'45, Side::Sell, "CNY", 2'00, 4) == 123'45);
    CHECK(rounded(kMoneyMinorMax, Side::Sell, "CNY", kMoneyMinorMax, 1) == kMoneyMinorMax);
}

TEST_CASE("generated bargains keep every invariant; a failure is reported minimised") {
    constexpr int kThrowsMax = 400;  // of a bargain with the most rounds
    test::check_property([] {
        const auto full_range = rc::gen::resize(100, rc::gen::arbitrary<std::uint64_t>());
        const auto count = *rc::gen::resize(100, rc::gen::inRange(0, kThrowsMax));
        Dice dice(*rc::gen::container<std::vector<std::uint64_t>>(static_cast<std::size_t>(count),
                                                                  full_range));
        const Strategy ours = any_strategy(dice);
        const std::string broken = broken_promise(ours, dice);
        RC_LOG(broken);
        RC_ASSERT(broken.empty());
        RC_ASSERT(is_sound(ours));
    });
}

TEST_CASE("a million random bargains keep every promise") {
    int asked = 0;
    for (int seed = 1; seed <= kBargains; ++seed) {
        Dice dice(static_cast<std::uint64_t>(seed));
        const Strategy ours = any_strategy(dice);
        const std::string broken = broken_promise(ours, dice);
        if (!broken.empty()) {
            CAPTURE(seed);
            FAIL(broken);
        }
        asked += is_sound(ours) ? 0 : 1;
    }
    CHECK(asked == 0);
}

TEST_CASE("two strategies that end at their limits agree when their zones overlap") {
    int agreed = 0;
    int parted = 0;
    for (int seed = 1; seed <= 100'000; ++seed) {
        Dice dice(static_cast<std::uint64_t>(seed));
        Strategy seller = random_strategy(dice, Side::Sell, "CNY");
        Strategy buyer = random_strategy(dice, Side::Buy, "CNY");
        const Ending any = between(seller, buyer);
        CAPTURE(seed);
        if (any.agreed) {
            REQUIRE(any.minor >= seller.limit_minor);
            REQUIRE(any.minor <= buyer.limit_minor);
        }
        REQUIRE(any.words <= 2 * std::max(seller.rounds, buyer.rounds) + 1);
        seller.reaches_limit = buyer.reaches_limit = true;
        buyer.rounds = seller.rounds;
        const Ending ending = between(seller, buyer);
        if (seller.rounds > 1) {
            const std::int64_t lowest = planned_offer(seller, seller.rounds - 1);
            const std::int64_t highest = planned_offer(buyer, buyer.rounds - 1);
            // For whole amounts only: an overlap that contains no round amount may be missed.
            if (highest >= seller.limit_minor || lowest <= buyer.limit_minor)
                REQUIRE(ending.agreed);
        }
        if (buyer.limit_minor < seller.limit_minor) REQUIRE(!ending.agreed);
        ++(ending.agreed ? agreed : parted);
    }
    CHECK(agreed > 10'000);
    CHECK(parted > 10'000);
}
