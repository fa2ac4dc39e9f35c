// What each act does to the table of a deal.

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "core/domain/deal.h"

using namespace a2h;
using enum ActKind;

namespace {

Money cny(std::int64_t yuan) {
    return {yuan * 100, "CNY"};
}

/// Builds the acts of one dialogue, each a second after the one before.
class Talk {
  public:
    Talk& us(ActKind kind, std::optional<Money> price = {}, std::vector<std::string> words = {}) {
        return add(ActBy::Us, kind, std::move(price), std::move(words));
    }
    Talk& peer(ActKind kind, std::optional<Money> price = {}, std::vector<std::string> words = {}) {
        return add(ActBy::Peer, kind, std::move(price), std::move(words));
    }
    Talk& news(OrderState state) {
        add(ActBy::Market, OrderNews, {}, {});
        acts_.back().order = DealOrder{"WKSA1", state};
        return *this;
    }
    Talk& market(ActKind kind, std::string offer_id, std::string deal_id = {}) {
        add(ActBy::Market, kind, {}, {});
        acts_.back().offer_message_id = std::move(offer_id);
        acts_.back().market_deal_id = std::move(deal_id);
        return *this;
    }
    Act& last() { return acts_.back(); }

    [[nodiscard]] Deal deal() const { return fold({}, acts_); }
    [[nodiscard]] DealPhase phase() const { return deal().phase; }

    /// What the last act does.
    [[nodiscard]] Step step() const {
        std::vector<Act> before = acts_;
        const Act act = before.back();
        before.pop_back();
        return advance(fold({}, before), act).step;
    }
    [[nodiscard]] const std::vector<Act>& acts() const { return acts_; }

  private:
    Talk& add(ActBy by, ActKind kind, std::optional<Money> price, std::vector<std::string> words) {
        const auto number = static_cast<std::int64_t>(acts_.size()) + 1;
        Act act;
        act.source = "inbox:" + std::to_string(number) + ":0";
        act.kind = kind;
        act.by = by;
        act.terms = {std::move(price), std::move(words)};
        act.message_id = "msg_" + std::to_string(number);
        act.at_ms = number * 1'000;
        act.sent_at_ms = act.at_ms;
        act.sureness = 3;
        acts_.push_back(std::move(act));
        return *this;
    }

    std::vector<Act> acts_;
};

}  // namespace

TEST_CASE("an offer stands until its author makes another one") {
    Talk talk;
    talk.peer(Asks).peer(Offers, cny(250)).peer(Offers, cny(200));
    CHECK(talk.phase() == DealPhase::Offered);
    CHECK(talk.deal().theirs->terms.price == cny(200));
    CHECK(talk.deal().theirs->message_id == "msg_3");
}

TEST_CASE("accepting the standing terms makes an agreement with these terms") {
    Talk talk;
    talk.us(Offers, cny(280), {"half in advance"}).peer(Accepts);
    CHECK(talk.step() == Step::Agreed);
    CHECK(talk.phase() == DealPhase::Agreed);
    CHECK(talk.deal().agreed->terms == Terms{cny(280), {"half in advance"}});
    CHECK(talk.deal().agreed->offered_by == ActBy::Us);
    CHECK_FALSE(talk.deal().ours);
}

TEST_CASE("an acceptance that changes something is a counter-offer") {
    Talk price;
    price.us(Offers, cny(280)).peer(Accepts, cny(250));
    CHECK(price.step() == Step::Countered);
    CHECK(price.deal().theirs->terms.price == cny(250));
    CHECK(price.deal().ours->terms.price == cny(280));

    Talk condition;
    condition.us(Offers, cny(280)).peer(Accepts, {}, {"if by Friday"});
    CHECK(condition.step() == Step::Countered);
    CHECK(condition.deal().theirs->terms == Terms{cny(280), {"if by Friday"}});
}

TEST_CASE("an acceptance of an offer that has ended agrees to nothing") {
    Talk withdrawn;
    withdrawn.us(Offers, cny(280)).us(Withdraws).peer(Accepts);
    CHECK(withdrawn.step() == Step::AcceptedTooLate);
    CHECK(withdrawn.phase() == DealPhase::Withdrawn);

    Talk replaced;
    replaced.us(Offers, cny(200)).us(Offers, cny(280)).peer(Accepts);
    replaced.last().offer_message_id = "msg_1";
    CHECK(replaced.step() == Step::AcceptedTooLate);
    CHECK(replaced.deal().ours->terms.price == cny(280));

    Talk lapsed;
    lapsed.us(Offers, cny(280));
    lapsed.last().valid_until_ms = 1'500;
    lapsed.peer(Accepts);
    CHECK(lapsed.step() == Step::AcceptedTooLate);
    CHECK(lapsed.phase() == DealPhase::Lapsed);
}

TEST_CASE("an acceptance means the offer whose id and hash it names") {
    Talk talk;
    talk.us(Offers, cny(280));
    talk.last().payload_hash = "aa";
    talk.peer(Accepts);
    talk.last().offer_message_id = "msg_1";
    talk.last().offer_payload_hash = "bb";
    CHECK(talk.step() == Step::AcceptedTooLate);
    talk.last().offer_payload_hash = "aa";
    CHECK(talk.step() == Step::Agreed);
}

TEST_CASE("an offer that ours replaces cannot be accepted any more") {
    Talk talk;
    talk.us(Offers, cny(280)).peer(Offers, cny(250)).us(Accepts);
    talk.last().replaces_message_id = "msg_1";
    CHECK(talk.deal().agreed->terms.price == cny(250));
    talk.peer(Accepts);
    talk.last().offer_message_id = "msg_1";
    CHECK(talk.step() == Step::AcceptedTooLate);
}

TEST_CASE("an agreement is repeated without being made again") {
    Talk talk;
    talk.us(Offers, cny(280)).peer(Accepts).us(Accepts, cny(280));
    CHECK(talk.step() == Step::None);
    CHECK(talk.deal().agreed->accept_message_id == "msg_2");
    talk.peer(Accepts, cny(250));
    CHECK(talk.step() == Step::Countered);
}

TEST_CASE("declining ends the other one's terms, and withdrawing one's own") {
    Talk declined;
    declined.peer(Offers, cny(250)).us(Declines);
    CHECK(declined.phase() == DealPhase::Declined);
    declined.peer(Offers, cny(260));
    CHECK(declined.phase() == DealPhase::Offered);

    Talk both;
    both.us(Offers, cny(280)).peer(Offers, cny(250)).peer(Withdraws);
    CHECK(both.phase() == DealPhase::Offered);
    CHECK_FALSE(both.deal().theirs);

    Talk agreed;
    agreed.us(Offers, cny(280)).peer(Accepts).peer(Withdraws);
    CHECK(agreed.phase() == DealPhase::Withdrawn);
    CHECK(agreed.deal().agreed->was_taken_back);
}

TEST_CASE("a refusal that names another offer than the standing one ends nothing") {
    Talk agreed;
    agreed.us(Offers, cny(280)).peer(Accepts).peer(Declines);
    agreed.last().offer_message_id = "msg_1";
    CHECK(agreed.phase() == DealPhase::Agreed);

    Talk replaced;
    replaced.us(Offers, cny(280)).us(Offers, cny(260)).peer(Declines);
    replaced.last().offer_message_id = "msg_1";
    CHECK(replaced.deal().ours->terms.price == cny(260));
    replaced.last().offer_message_id = "msg_2";
    CHECK(replaced.phase() == DealPhase::Declined);
}

TEST_CASE("a condition joins the terms of its author, or makes a counter-offer") {
    Talk own;
    own.peer(Offers, cny(250)).peer(Conditions, {}, {"cash only"});
    CHECK(own.deal().theirs->terms == Terms{cny(250), {"cash only"}});

    Talk counter;
    counter.us(Offers, cny(280)).peer(Conditions, {}, {"cash only"});
    CHECK(counter.deal().theirs->terms == Terms{cny(280), {"cash only"}});
    CHECK(counter.deal().ours);

    Talk after;
    after.us(Offers, cny(280)).peer(Accepts).peer(Conditions, {}, {"cash only"});
    CHECK(after.step() == Step::ConditionAdded);
    CHECK(after.deal().agreed->terms == Terms{cny(280), {}});
}

TEST_CASE("the order at the market decides the phase, and old news about it change nothing") {
    Talk talk;
    talk.us(Offers, cny(280)).peer(Accepts).peer(Offers, cny(250)).news(OrderState::Confirmed);
    CHECK(talk.phase() == DealPhase::Ordered);
    CHECK_FALSE(talk.deal().theirs);
    talk.news(OrderState::Paid).news(OrderState::PendingConfirm);
    CHECK(talk.phase() == DealPhase::Paid);
    talk.us(ClaimsDelivery);
    CHECK(talk.phase() == DealPhase::Delivered);
    talk.news(OrderState::Completed);
    CHECK(talk.phase() == DealPhase::Done);
    CHECK(is_over(talk.deal()));
}

TEST_CASE("an act in the peer's name that is less certain than earlier ones changes no terms") {
    Talk talk;
    talk.peer(Offers, cny(250)).peer(Offers, cny(1));
    talk.last().sureness = 1;
    CHECK(talk.deal().theirs->terms.price == cny(250));
    CHECK(talk.deal().version == 2);
}

TEST_CASE("a late act counts as earlier, but no acceptance before our own newer words") {
    Talk late;
    late.peer(Offers, cny(200)).peer(Offers, cny(250));
    late.last().sent_at_ms = 500;
    CHECK(late.deal().theirs->terms.price == cny(200));

    Talk back_dated;
    back_dated.us(Offers, cny(200)).peer(Asks).us(Offers, cny(280)).peer(Accepts);
    back_dated.last().sent_at_ms = 1'500;
    back_dated.last().offer_message_id = "msg_1";
    CHECK(back_dated.step() == Step::AcceptedTooLate);
    CHECK_FALSE(back_dated.deal().agreed);
}

TEST_CASE("the market's deal of an offer is an agreement, whoever is told first") {
    Talk talk;
    talk.us(Offers, cny(280));
    SUBCASE("after the acceptance") {
        talk.peer(Accepts).market(DealNews, "msg_1", "deal_1");
        CHECK(talk.step() == Step::Recorded);
    }
    SUBCASE("before the acceptance") {
        talk.market(DealNews, "msg_1", "deal_1");
        CHECK(talk.step() == Step::Agreed);
        talk.peer(Accepts);
        talk.last().offer_message_id = "msg_1";
        CHECK(talk.step() == Step::None);
    }
    SUBCASE("after an acceptance that named other terms") {
        talk.peer(Accepts, {}, {"with a drone"}).market(DealNews, "msg_1", "deal_1");
        CHECK(talk.step() == Step::Agreed);
    }
    const Deal deal = talk.deal();
    CHECK(deal.phase == DealPhase::Agreed);
    CHECK(deal.agreed->terms == Terms{cny(280), {}});
    CHECK(deal.agreed->offered_by == ActBy::Us);
    CHECK(deal.agreed->market_deal_id == "deal_1");
    CHECK_FALSE(deal.ours);
    CHECK_FALSE(deal.theirs);
}

TEST_CASE("the market's deal of an offer that has ended here is an agreement with its terms") {
    Talk talk;
    talk.peer(Offers, cny(250)).peer(Offers, cny(200)).market(DealNews, "msg_1", "deal_1");
    talk.last().terms = {cny(250), {"in May"}};
    talk.last().offered_by = ActBy::Peer;
    CHECK(talk.step() == Step::Agreed);
    CHECK(talk.deal().agreed->terms == Terms{cny(250), {"in May"}});
    CHECK(talk.deal().agreed->offered_by == ActBy::Peer);
}

TEST_CASE("a deal of the market does not end by words, an agreement without one does") {
    Talk talk;
    talk.us(Offers, cny(280)).peer(Accepts).peer(Withdraws);
    CHECK(talk.phase() == DealPhase::Withdrawn);
    talk.market(DealNews, "msg_1", "deal_1");
    CHECK(talk.phase() == DealPhase::Agreed);
    CHECK(talk.deal().agreed->was_taken_back);
}

TEST_CASE("an acceptance that the market has not taken makes no agreement") {
    Talk talk;
    talk.peer(Offers, cny(250)).us(Accepts).market(RefusalNews, "msg_1");
    talk.last().message_id = "msg_2";
    SUBCASE("if it was the one that agreed") {
        CHECK(talk.step() == Step::Refused);
        CHECK_FALSE(talk.deal().agreed);
        CHECK(talk.phase() == DealPhase::Lapsed);
    }
    SUBCASE("but one that the market has recorded stays") {
        Talk other;
        other.peer(Offers, cny(250)).us(Accepts).market(DealNews, "msg_1", "deal_1");
        other.market(RefusalNews, "msg_1");
        other.last().message_id = "msg_2";
        CHECK(other.step() == Step::None);
        CHECK(other.phase() == DealPhase::Agreed);
    }
    SUBCASE("and the refusal of another message changes nothing") {
        talk.last().message_id = "msg_7";
        CHECK(talk.step() == Step::None);
        CHECK(talk.phase() == DealPhase::Agreed);
    }
}

TEST_CASE("a later agreement does not hide the deal that the market has made before") {
    Talk talk;
    talk.peer(Offers, cny(271)).us(Accepts).market(DealNews, "msg_1", "deal_1");
    talk.peer(Offers, cny(230)).us(Accepts);
    CHECK(talk.deal().agreed->terms.price == cny(230));
    CHECK(talk.deal().agreed->market_deal_id.empty());
    CHECK(talk.deal().earlier_market_deals == std::vector<std::string>{"deal_1"});
}

TEST_CASE("an own typed offer stays open at the market until it is replaced, made a deal or ends") {
    Talk talk;
    talk.us(Offers, cny(240));
    talk.last().payload_hash = "hash";
    SUBCASE("if the peer refuses or accepts it by mail") {
        talk.peer(Declines).peer(Accepts).peer(Withdraws);
        REQUIRE(talk.deal().open_at_market);
        CHECK(talk.deal().open_at_market->message_id == "msg_1");
        CHECK_FALSE(talk.deal().ours);
    }
    SUBCASE("until words name it as replaced") {
        talk.peer(Declines).us(Other);
        talk.last().replaces_message_id = "msg_1";
        CHECK_FALSE(talk.deal().open_at_market);
    }
    SUBCASE("until a newer one takes its place") {
        talk.us(Offers, cny(300));
        talk.last().payload_hash = "other";
        talk.last().replaces_message_id = "msg_1";
        CHECK(talk.deal().open_at_market->message_id == "msg_2");
    }
    SUBCASE("until the market makes a deal of it") {
        talk.peer(Accepts).market(DealNews, "msg_1", "deal_1");
        CHECK_FALSE(talk.deal().open_at_market);
    }
    SUBCASE("until its time is over") {
        talk.last().valid_until_ms = 1'500;
        CHECK(talk.deal().open_at_market);
        CHECK_FALSE(lapse(talk.deal(), 1'500).open_at_market);
    }
    SUBCASE("but the peer's words end none of ours") {
        talk.peer(Other);
        talk.last().replaces_message_id = "msg_1";
        CHECK(talk.deal().open_at_market);
    }
}
