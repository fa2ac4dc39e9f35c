// Properties of deals, each over generated dialogues.

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/domain/deal.h"
#include "tests/support/property.h"

using namespace a2h;
using enum ActKind;

namespace {

constexpr int kDialogues = 10'000;
constexpr std::array kKinds{Asks,     Offers,        Offers,         Accepts,  Accepts,
                            Declines, Withdraws,     Conditions,     Courtesy, Other,
                            Offers,   ClaimsPayment, ClaimsDelivery, OrderNews};

std::int64_t any(std::int64_t below) {
    return *rc::gen::resize(100, rc::gen::inRange<std::int64_t>(0, below));
}

/// The id of one of the messages so far, or of none.
std::string any_earlier(std::int64_t number) {
    return number == 1 || any(2) == 0 ? std::string()
                                      : "msg_" + std::to_string(1 + any(number - 1));
}

Terms any_terms(ActKind kind) {
    Terms terms;
    if (kind == Offers || (kind == Accepts && any(3) == 0))
        terms.price = Money{(1 + any(3)) * 100, any(8) == 0 ? "USD" : "CNY"};
    if (kind == Conditions || any(6) == 0)
        terms.conditions.push_back("condition " + std::to_string(any(3)));
    return terms;
}

Act any_act(std::int64_t number) {
    Act act;
    act.source = "inbox:" + std::to_string(number) + ":0";
    act.kind = kKinds[static_cast<std::size_t>(any(kKinds.size()))];
    act.by = any(2) == 0 ? ActBy::Us : ActBy::Peer;
    act.terms = any_terms(act.kind);
    act.message_id = "msg_" + std::to_string(number);
    if (act.kind == Offers && any(2) == 0) act.payload_hash = "hash " + std::to_string(number);
    if (act.kind == Accepts) act.offer_message_id = any_earlier(number);
    if (act.by == ActBy::Us && act.kind != Courtesy) act.replaces_message_id = any_earlier(number);
    act.at_ms = number * 1'000;
    act.sent_at_ms = act.at_ms;
    if (act.kind == Offers && any(3) == 0) act.valid_until_ms = act.at_ms + 500 + any(5'000);
    act.sureness = 3;
    if (act.kind == OrderNews) {
        act.by = ActBy::Market;
        act.order = DealOrder{"order", kOrderStates[static_cast<std::size_t>(any(6))]};
    }
    return act;
}

std::vector<Act> any_dialogue() {
    std::vector<Act> acts;
    const std::int64_t count = any(14);
    for (std::int64_t number = 1; number <= count; ++number)
        acts.push_back(any_act(number));
    return acts;
}

/// As text, with everything that a deal consists of.
std::string shown(const std::optional<StandingOffer>& offer) {
    if (!offer) return "-";
    std::string text = offer->terms.price ? to_text(*offer->terms.price) : "no price";
    for (const std::string& condition : offer->terms.conditions)
        text += ", " + condition;
    return text + " of " + offer->message_id + " until " + std::to_string(offer->valid_until_ms);
}

std::string shown(const Deal& deal) {
    std::string text = std::string(to_string(deal.phase)) + "|" + shown(deal.ours) + "|" +
                       shown(deal.theirs) + "|" + std::to_string(deal.version);
    if (deal.agreed) {
        text += "|" + deal.agreed->offer_message_id + "+" + deal.agreed->accept_message_id +
                (deal.agreed->was_taken_back ? " taken back" : "");
    }
    if (deal.order) text += "|" + std::string(to_string(deal.order->state));
    return text;
}

/// One line for each act, for the report of a failure.
std::string shown(const std::vector<Act>& acts) {
    std::string text;
    for (const Act& act : acts) {
        text += act.message_id + " " + std::string(to_string(act.by)) + " " +
                std::string(to_string(act.kind)) + " " +
                (act.terms.price ? to_text(*act.terms.price) : "") + " of " + act.offer_message_id +
                " instead of " + act.replaces_message_id + " until " +
                std::to_string(act.valid_until_ms) + "\n";
    }
    return text;
}

const Act* act_with(const std::vector<Act>& acts, const std::string& message_id) {
    const auto found = std::find_if(acts.begin(), acts.end(),
                                    [&](const Act& act) { return act.message_id == message_id; });
    return found == acts.end() ? nullptr : &*found;
}

/// Whether `act` ends the terms of `offer`, told from the words of the rules and not from
/// `advance`.
bool ends(const Act& act, const Act& offer) {
    const bool is_own = act.by == offer.by;
    if (is_own && act.replaces_message_id == offer.message_id) return true;
    if (is_own) return act.kind == Offers || act.kind == Withdraws;
    return act.kind == Declines;
}

/// Whether the terms of the act at `from` could still be accepted by the one at `to`.
bool stood(const std::vector<Act>& acts, std::size_t from, std::size_t to) {
    const Act& offer = acts[from];
    for (std::size_t i = from + 1; i < to; ++i) {
        if (ends(acts[i], offer)) return false;
    }
    return offer.valid_until_ms == 0 || offer.valid_until_ms > acts[to].at_ms;
}

}  // namespace

TEST_CASE("nothing is agreed that was replaced, taken back, refused or over before (10 000)") {
    test::check_property(
        [] {
            const std::vector<Act> acts = any_dialogue();
            Deal deal;
            for (std::size_t to = 0; to < acts.size(); ++to) {
                auto [next, step] = advance(deal, acts[to]);
                deal = std::move(next);
                if (step != Step::Agreed) continue;
                const Act* offer = act_with(acts, deal.agreed->offer_message_id);
                RC_LOG(shown(acts));
                RC_ASSERT(offer != nullptr);
                RC_ASSERT(offer->by != acts[to].by);
                RC_ASSERT(acts[to].kind == Accepts);
                RC_ASSERT(stood(acts, static_cast<std::size_t>(offer - acts.data()), to));
            }
        },
        kDialogues);
}

TEST_CASE("an agreement is what stood, member by member, conditions included (10 000)") {
    test::check_property(
        [] {
            const std::vector<Act> acts = any_dialogue();
            Deal deal;
            for (const Act& act : acts) {
                const Deal before = lapse(deal, act.at_ms);
                auto [next, step] = advance(deal, act);
                deal = std::move(next);
                if (step != Step::Agreed) continue;
                const auto& stood = act.by == ActBy::Us ? before.theirs : before.ours;
                RC_ASSERT(stood.has_value());
                RC_ASSERT(deal.agreed->terms == stood->terms);
                RC_ASSERT(!act.terms.price || act.terms.price == stood->terms.price);
                RC_ASSERT(act.terms.conditions.empty());
                RC_ASSERT(!deal.ours && !deal.theirs);
            }
        },
        kDialogues);
}

TEST_CASE("a deal is the same after a stop at any of its acts (10 000)") {
    test::check_property(
        [] {
            const std::vector<Act> acts = any_dialogue();
            const auto stop =
                static_cast<std::ptrdiff_t>(any(static_cast<std::int64_t>(acts.size()) + 1));
            Deal deal = fold({}, {acts.begin(), acts.begin() + stop});
            for (auto act = acts.begin() + stop; act != acts.end(); ++act)
                deal = advance(std::move(deal), *act).deal;
            RC_ASSERT(shown(deal) == shown(fold({}, acts)));
        },
        kDialogues);
}

TEST_CASE("acts of the peer that arrive twice or in another order lead to the same end (10 000)") {
    test::check_property(
        [] {
            const std::vector<Act> acts = any_dialogue();
            std::vector<Act> arrived = acts;
            // Only acts of the peer between two of ours or of the market change their order.
            for (std::size_t i = 1; i < arrived.size(); ++i) {
                const bool both = arrived[i].by == ActBy::Peer && arrived[i - 1].by == ActBy::Peer;
                if (both && any(2) == 0) std::swap(arrived[i], arrived[i - 1]);
            }
            for (std::int64_t i = any(3); i > 0 && !arrived.empty(); --i)
                arrived.push_back(arrived[static_cast<std::size_t>(
                    any(static_cast<std::int64_t>(arrived.size())))]);
            RC_ASSERT(shown(fold({}, arrived)) == shown(fold({}, acts)));
        },
        kDialogues);
}

TEST_CASE("every act but a courtesy makes a new version, and a courtesy ends nothing (10 000)") {
    test::check_property(
        [] {
            Deal deal;
            for (const Act& act : any_dialogue()) {
                const Deal before = lapse(deal, act.at_ms);
                deal = advance(std::move(deal), act).deal;
                const bool is_courtesy = act.kind == Courtesy;
                RC_ASSERT(deal.version == before.version + (is_courtesy ? 0 : 1));
                if (is_courtesy) RC_ASSERT(shown(deal) == shown(before));
            }
        },
        kDialogues);
}

TEST_CASE("an uncertain act in the peer's name moves no terms (10 000)") {
    test::check_property(
        [] {
            Deal deal = fold({}, any_dialogue());
            Act act = any_act(100);
            if (act.by != ActBy::Peer || deal.sureness == 0) return;
            act.sureness = deal.sureness - 1;
            const Deal before = lapse(deal, act.at_ms);
            Deal after = advance(deal, act).deal;
            after.version = before.version;
            RC_ASSERT(shown(after) == shown(before));
        },
        kDialogues);
}
