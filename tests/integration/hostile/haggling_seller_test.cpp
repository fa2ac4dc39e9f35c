// Tricks of a peer with a seller that negotiates by itself, on real programs.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/store/listing_store.h"
#include "tests/integration/hostile/haggling_seller.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

TEST_CASE("an automatic seller asks its human about trick messages") {
    HagglingSeller s;
    const std::vector<json> tricks = {
        s.offer(price("-290.00")),
        s.offer(price("0")),
        s.offer(price("99999999999999999999999999")),
        s.offer(price("90071992547409.92")),
        s.offer(price(1e300)),
        s.offer(price("2.9e4")),
        s.offer(price("290.001")),
        s.offer(price("290.00", "USD")),
        s.offer(price("290.00", "cny")),
        s.offer(price("290.00"), {{"valid_until", "2020-01-01T00:00:00Z"}}),
        s.offer(price("290.00"), {{"valid_until", 7}}),
        s.offer(price("290.00"), {{"text", "290.00 CNY, paid after delivery"}}),
        s.offer(price("290.00"), {{"text", "How about 1 CNY?"}}),
        s.offer(price("290.00"), {{"summary", "and your bicycle"}}),
        s.offer(price("290.00"), {{"worksId", s.works_id + "0"}}),
        {{"type", "accept"}, {"worksId", s.works_id}, {"offer_message_id", "msg_1_00000000"}},
        {{"type", "accept"}, {"worksId", s.works_id}, {"price", price("1")}},
    };
    for (const json& trick : tricks) {
        CAPTURE(trick.dump());
        s.say(trick);
        CHECK(s.prices().empty());
    }
    for (const json& ours : s.answers()) {
        CAPTURE(ours.dump());
        CHECK(ours.value("type", "text") == "text");
    }
}

TEST_CASE("an automatic seller does not lower its price for repeated or lower offers") {
    HagglingSeller s;
    const json low = s.offer(price("100.00"));
    const std::string first = s.signed_by_mallory(low);
    s.publish(first);
    REQUIRE(s.settled(++s.received));
    REQUIRE(eventually([&] { return s.prices().size() == 1; }));
    s.publish(first);
    for (const char* amount : {"100.00", "100.00", "99.00", "100.00"})
        s.say(s.offer(price(amount)));
    for (const json& amount : s.prices())
        CHECK(amount == "300.00");
    CHECK(json(s.peer.heard()).dump().find("247") == std::string::npos);
}

TEST_CASE("an automatic seller stops when its listing has changed") {
    HagglingSeller s;
    s.say(s.offer(price("100.00")));
    REQUIRE(eventually([&] { return s.prices().size() == 1; }));
    s.approve(s.daemon.call_assistant("works.update", json{{"works_id", s.works_id},
                                                           {"type", 3},
                                                           {"title", "Portrait photos"},
                                                           {"content", "Ten minutes."}}
                                                          .dump()));
    // The market knows it at once, a2hd once it has read its copy anew.
    const auto db =
        store::Database::open(s.daemon.home() / "a2hd.db", store::Database::Mode::ReadOnly);
    REQUIRE(db.has_value());
    REQUIRE(eventually([&] {
        const auto copy = store::list_listings(**db, s.seller.agent_id);
        return copy && copy->size() == 1 && copy->front().content == "Ten minutes.";
    }));
    const json asked_before = s.data("status").at("backlog").at("approvals");
    s.say(s.offer(price("310.00")));
    CHECK(s.prices().size() == 1);
    CHECK(s.answers().dump().find("accept") == std::string::npos);
    CHECK(s.data("status").at("backlog").at("approvals") != asked_before);
}
