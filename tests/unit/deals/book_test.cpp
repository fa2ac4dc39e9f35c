// Which deal an act belongs to, and what the book keeps of it.

#include <doctest/doctest.h>

#include <string>
#include <utility>

#include "core/store/deal_store.h"
#include "core/store/outbox_store.h"
#include "core/store/retention.h"
#include "daemon/deals/book.h"
#include "tests/support/permit.h"
#include "tests/support/queued_message.h"
#include "tests/support/temp_dir.h"

using namespace a2h;
using enum ActKind;

namespace {

constexpr UnixMs kNow = 1'760'000'000'000;

template <typename T>
T must(Result<T> result) {
    if (!result) FAIL(std::string(result.error().message));
    return std::move(result).value();
}

/// A seller's database, and the acts of one peer.
class Book {
  public:
    Book()
        : db(must(
              store::Database::open(dir_.path() / "a2h.db", store::Database::Mode::ReadWrite))) {}

    static deals::Named named(std::string works_id = {}, std::string order_id = {}) {
        return {.agent_id = "ag_seller",
                .peer_id = "ag_buyer",
                .works_id = std::move(works_id),
                .order_id = std::move(order_id)};
    }

    Act act(ActBy by, ActKind kind, std::int64_t yuan = 0) {
        Act made;
        made.source = "inbox:" + std::to_string(++number_) + ":0";
        made.kind = kind;
        made.by = by;
        if (yuan > 0) made.terms.price = Money{yuan * 100, "CNY"};
        made.message_id = "msg_" + std::to_string(number_);
        made.at_ms = kNow + number_ * 1'000;
        made.sent_at_ms = made.at_ms;
        made.sureness = 3;
        return made;
    }

    std::vector<Advanced> record(const deals::Named& named, const std::vector<Act>& acts) {
        std::vector<Advanced> steps;
        write([&] { steps = must(deals::record(*db, named, acts, kNow)); });
        return steps;
    }

    template <typename Work>
    void write(const Work& work) {
        REQUIRE(db->begin());
        work();
        REQUIRE(db->commit());
    }

    std::optional<Deal> find(const deals::Named& named) {
        return must(deals::find(*db, named, kNow));
    }

    std::size_t deal_count() {
        return must(store::list_deals(*db, {.agent_id = "ag_seller"})).deals.size();
    }

  private:
    test::TempDir dir_;
    std::int64_t number_ = 0;

  public:
    std::unique_ptr<store::Database> db;
};

OutboxMessage own_offer() {
    return test::queued_message("ag_seller", "ag_buyer", "chat.request",
                                R"({"price":{"amount":"280","currency":"CNY"},"type":"offer"})",
                                "tool:a2h_send");
}

}  // namespace

TEST_CASE("a deal is stored with everything that its acts make of it") {
    Book book;
    Act offer = book.act(ActBy::Peer, Offers, 250);
    offer.terms.conditions = {"by Friday", "cash"};
    offer.payload_hash = "aa";
    offer.valid_until_ms = kNow + 3'600'000;
    const auto steps = book.record(Book::named("works_1"), {offer});
    REQUIRE(steps.size() == 1);
    CHECK(steps[0].step == Step::Offered);
    const auto deal = book.find(Book::named("works_1"));
    REQUIRE(deal);
    CHECK(deal->subject == DealSubject{"listing", "works_1"});
    CHECK(deal->phase == DealPhase::Offered);
    CHECK(deal->theirs == steps[0].deal.theirs);
    CHECK(deal->theirs->terms.conditions == offer.terms.conditions);
    CHECK(deal->version == 1);

    Act accept = book.act(ActBy::Us, Accepts);
    book.record(Book::named("works_1"), {accept});
    const auto agreed = book.find(Book::named("works_1"));
    CHECK(agreed->phase == DealPhase::Agreed);
    CHECK(agreed->agreed->terms == offer.terms);
    CHECK(agreed->agreed->offered_by == ActBy::Peer);
    CHECK_FALSE(agreed->theirs);
}

TEST_CASE("a courtesy alone begins no deal") {
    Book book;
    CHECK(book.record(Book::named(), {book.act(ActBy::Peer, Courtesy)}).empty());
    CHECK(book.deal_count() == 0);
}

TEST_CASE("a message counts once however often it is recorded") {
    Book book;
    const Act offer = book.act(ActBy::Peer, Offers, 250);
    book.record(Book::named("works_1"), {offer});
    CHECK(book.record(Book::named("works_1"), {offer}).empty());
    CHECK(book.find(Book::named("works_1"))->version == 1);
}

TEST_CASE("each listing has a deal of its own, and what names none means the newest") {
    Book book;
    book.record(Book::named("works_1"), {book.act(ActBy::Peer, Offers, 250)});
    book.record(Book::named("works_2"), {book.act(ActBy::Peer, Offers, 90)});
    CHECK(book.deal_count() == 2);
    CHECK(book.find(Book::named("works_1"))->theirs->terms.price == Money{250'00, "CNY"});
    CHECK(book.find(Book::named())->subject.id == "works_2");
}

TEST_CASE("a deal without a subject takes the first one that is named") {
    Book book;
    book.record(Book::named(), {book.act(ActBy::Peer, Asks)});
    book.record(Book::named("works_1"), {book.act(ActBy::Peer, Offers, 250)});
    CHECK(book.deal_count() == 1);
    CHECK(book.find(Book::named("works_1"))->version == 2);
}

TEST_CASE("an answer to an offer belongs to the deal of that offer") {
    Book book;
    Act offer = book.act(ActBy::Peer, Offers, 250);
    book.record(Book::named("works_1"), {offer});
    book.record(Book::named("works_2"), {book.act(ActBy::Peer, Offers, 90)});
    deals::Named answer = Book::named();
    answer.offer_message_id = offer.message_id;
    CHECK(book.find(answer)->subject.id == "works_1");
}

TEST_CASE("an order continues the deal about its listing, and a further order is another deal") {
    Book book;
    book.record(Book::named("works_1"), {book.act(ActBy::Peer, Offers, 250)});
    Act news = book.act(ActBy::Market, OrderNews);
    news.order = DealOrder{"WKSA1", OrderState::Confirmed};
    book.record(Book::named("works_1", "WKSA1"), {news});
    CHECK(book.deal_count() == 1);
    CHECK(book.find(Book::named({}, "WKSA1"))->phase == DealPhase::Ordered);

    news = book.act(ActBy::Market, OrderNews);
    news.order = DealOrder{"WKSA2", OrderState::PendingConfirm};
    book.record(Book::named("works_1", "WKSA2"), {news});
    CHECK(book.deal_count() == 2);
    CHECK(book.find(Book::named({}, "WKSA2"))->subject == DealSubject{"order", "WKSA2"});

    news = book.act(ActBy::Market, OrderNews);
    news.order = DealOrder{"WKSA1", OrderState::Completed};
    book.record(Book::named("works_1", "WKSA1"), {news});
    CHECK(book.find(Book::named({}, "WKSA1"))->phase == DealPhase::Done);
    book.record(Book::named("works_1"), {book.act(ActBy::Peer, Offers, 200)});
    CHECK(book.deal_count() == 3);
}

TEST_CASE("an act that arrives late takes its place among those of its author") {
    Book book;
    Act late = book.act(ActBy::Peer, Offers, 250);
    const Act newer = book.act(ActBy::Peer, Offers, 200);
    book.record(Book::named("works_1"), {newer});
    late.at_ms = newer.at_ms + 1'000;
    book.record(Book::named("works_1"), {late});
    const auto deal = book.find(Book::named("works_1"));
    CHECK(deal->theirs->terms.price == Money{200'00, "CNY"});
    CHECK(deal->version == 2);
}

TEST_CASE("a message of ours counts while it may leave, and no longer once it is given up") {
    Book book;
    std::int64_t id = 0;
    const OutboxMessage message = own_offer();
    book.write([&] { id = must(test::insert_outbox(*book.db, message)).id; });
    Act offer = book.act(ActBy::Us, Offers, 280);
    offer.outbox_id = id;
    book.record(Book::named(), {book.act(ActBy::Peer, Asks), offer});
    CHECK(book.find(Book::named())->ours);

    book.write([&] { must(store::bury_outbox(*book.db, id, "no such mailbox", kNow)); });
    const auto without = book.find(Book::named());
    CHECK_FALSE(without->ours);
    CHECK(without->phase == DealPhase::Enquiry);
    CHECK(without->version == 3);

    book.write([&] { REQUIRE(store::requeue_outbox(*book.db, id, kNow, 3'600'000)); });
    CHECK(book.find(Book::named())->ours);
    book.write([&] { REQUIRE(store::drop_outbox(*book.db, id, kNow)); });
    CHECK_FALSE(book.find(Book::named())->ours);
    // What is recorded after that begins from the same state.
    book.record(Book::named(), {book.act(ActBy::Peer, Accepts)});
    CHECK_FALSE(book.find(Book::named())->agreed);
}

TEST_CASE("a deal is stored without an act that never left when the next act is recorded") {
    Book book;
    std::int64_t id = 0;
    book.write([&] { id = must(test::insert_outbox(*book.db, own_offer())).id; });
    Act offer = book.act(ActBy::Us, Offers, 280);
    offer.outbox_id = id;
    book.record(Book::named(), {offer});
    book.write([&] { must(store::bury_outbox(*book.db, id, "no such mailbox", kNow)); });
    const auto seen = book.find(Book::named());

    book.record(Book::named(), {book.act(ActBy::Peer, Asks)});
    const auto stored = must(store::get_deal(*book.db, seen->id));
    CHECK_FALSE(stored->is_stale);
    CHECK_FALSE(stored->ours);
    CHECK(stored->version > seen->version);
}

TEST_CASE("a deal that only an act which never left has ended is listed among the live ones") {
    Book book;
    std::int64_t id = 0;
    book.write([&] { id = must(test::insert_outbox(*book.db, own_offer())).id; });
    book.record(Book::named(), {book.act(ActBy::Peer, Offers, 280)});
    Act refusal = book.act(ActBy::Us, Declines);
    refusal.outbox_id = id;
    book.record(Book::named(), {refusal});
    const auto live = [&] {
        return must(store::list_deals(*book.db, {.agent_id = "ag_seller", .only_live = true}))
            .deals;
    };
    CHECK(live().empty());

    book.write([&] { must(store::bury_outbox(*book.db, id, "no such mailbox", kNow)); });
    CHECK(live().size() == 1);
}

TEST_CASE("deals are listed newest first, page by page, and without those that have ended") {
    Book book;
    for (int i = 1; i <= 5; ++i)
        book.record(Book::named("works_" + std::to_string(i)),
                    {book.act(ActBy::Peer, Offers, 100 + i)});
    book.record(Book::named("works_5"), {book.act(ActBy::Us, Declines)});
    auto page = must(store::list_deals(*book.db, {.agent_id = "ag_seller", .page_size = 2}));
    CHECK(page.has_more);
    CHECK(page.deals.at(0).subject.id == "works_5");
    page = must(store::list_deals(
        *book.db, {.agent_id = "ag_seller", .only_live = true, .page = 2, .page_size = 3}));
    CHECK_FALSE(page.has_more);
    REQUIRE(page.deals.size() == 1);
    CHECK(page.deals[0].subject.id == "works_1");
    CHECK(must(store::list_deals(*book.db, {.agent_id = "ag_other"})).deals.empty());
}

TEST_CASE("deals that have ended are forgotten with the words of their acts, open ones are not") {
    Book book;
    Act offer = book.act(ActBy::Peer, Offers, 250);
    offer.terms.conditions = {"my address is 5 Elm Street"};
    book.record(Book::named("works_1"), {offer, book.act(ActBy::Peer, Withdraws)});
    book.record(Book::named("works_2"), {book.act(ActBy::Peer, Offers, 90)});
    const auto forgotten = [&](UnixMs before_ms) {
        std::int64_t count = 0;
        book.write([&] {
            count = must(store::forget_some(*book.db, store::Forgettable::Deals, 0, before_ms, 100))
                        .forgotten;
        });
        return count;
    };
    CHECK(forgotten(kNow + 1'500) == 0);  // the withdrawal came later
    CHECK(forgotten(kNow + 3'600'000) == 1);
    CHECK(book.deal_count() == 1);
    CHECK(book.find(Book::named())->subject.id == "works_2");
    // What is said afterwards about the same listing begins another deal.
    book.record(Book::named("works_1"), {offer, book.act(ActBy::Peer, Asks)});
    CHECK(book.find(Book::named("works_1"))->theirs->terms.price == Money{250'00, "CNY"});
}

TEST_CASE("a further order that only the peer names is one deal, however often it is named") {
    Book book;
    Act news = book.act(ActBy::Market, OrderNews);
    news.order = DealOrder{"WKSA1", OrderState::Confirmed};
    book.record(Book::named("works_1", "WKSA1"), {news});
    for (int i = 0; i < 3; ++i)
        book.record(Book::named("works_1", "WKSA2"), {book.act(ActBy::Peer, Asks)});
    CHECK(book.deal_count() == 2);
    CHECK(book.find(Book::named("works_1", "WKSA2"))->version == 3);
}

TEST_CASE("an order stays over, however much is said about it afterwards") {
    Book book;
    Act news = book.act(ActBy::Market, OrderNews);
    news.order = DealOrder{"WKSA1", OrderState::Completed};
    book.record(Book::named("works_1", "WKSA1"), {news});
    book.record(Book::named("works_1"), {book.act(ActBy::Peer, Asks)});
    std::vector<Act> flood;
    for (int i = 0; i < 600; ++i)
        flood.push_back(book.act(ActBy::Peer, Asks));
    flood.back().sent_at_ms = kNow;
    book.record(Book::named({}, "WKSA1"), flood);
    CHECK(book.find(Book::named({}, "WKSA1"))->phase == DealPhase::Done);
}

TEST_CASE("the market's deal of an offer that stands no longer has the terms of that offer") {
    Book book;
    Act first = book.act(ActBy::Us, Offers, 280);
    first.terms.conditions = {"two hours"};
    book.record(Book::named("works_1"), {first});
    book.record(Book::named("works_1"), {book.act(ActBy::Us, Offers, 300)});
    Act news = book.act(ActBy::Market, DealNews);
    news.offer_message_id = first.message_id;
    news.market_deal_id = "deal_7";
    deals::Named named = Book::named();
    named.offer_message_id = first.message_id;
    book.record(named, {news});
    const auto deal = book.find(Book::named("works_1"));
    REQUIRE(deal->agreed);
    CHECK(deal->agreed->terms == first.terms);
    CHECK(deal->agreed->offered_by == ActBy::Us);
    CHECK(deal->agreed->market_deal_id == "deal_7");
    CHECK(book.deal_count() == 1);
}
