// Tricks of a peer with a seller that negotiates by itself, on real programs.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/store/listing_store.h"
#include "core/wire/canonical.h"
#include "tests/integration/hostile/scene.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

namespace {

json price(const json& amount, const char* currency = "CNY") {
    return {{"amount", amount}, {"currency", currency}};
}

/// A seller whose mandate negotiates about its one listing, from 300.00 not below 247.31.
struct NegotiatingSeller : Scene {
    NegotiatingSeller() {
        const json asked = daemon.call_assistant(
            "works.publish",
            json{{"type", 3}, {"title", "Portrait photos"}, {"content", "One hour."}}.dump());
        approve(asked);
        REQUIRE(eventually([&] {
            const json items = data("works.list").at("items");
            if (!items.empty()) works_id = items[0].at("worksId");
            return !works_id.empty();
        }));
        data("mandate.give", {{"action", "negotiation"},
                              {"side", "sell"},
                              {"works_id", works_id},
                              {"currency", "CNY"},
                              {"opening_minor", 30'000},
                              {"amount_from_minor", 24'731},
                              {"count_per_day", 5},
                              {"pin", Daemon::kPin}});
    }
    void approve(const json& asked) {
        CAPTURE(asked.dump());
        REQUIRE(asked.at("error").contains("approval_id"));
        data("approval.answer", {{"approval_id", asked.at("error").at("approval_id")},
                                 {"decision", "approve"},
                                 {"pin", Daemon::kPin}});
    }
    json offer(const json& given, const json& more = json::object()) const {
        json payload{{"type", "offer"}, {"worksId", works_id}, {"price", given}};
        payload.update(more);
        return payload;
    }
    std::string signed_by_mallory(const json& payload) const {
        return signed_message(mallory, seller.agent_id,
                              {.text = {}, .payload_json = wire::canonical_json(payload)});
    }
    void say(const json& payload) {
        publish(signed_by_mallory(payload));
        REQUIRE(settled(++received));
    }
    /// Payloads of the seller's answers.
    json answers() {
        json ours = json::array();
        for (const json& item : history(mallory.agent_id)) {
            if (item.at("direction") == "out") ours.push_back(item.at("payload"));
        }
        return ours;
    }
    json prices() {
        json all = json::array();
        for (const json& ours : answers()) {
            if (ours.contains("price")) all.push_back(ours.at("price").at("amount"));
        }
        return all;
    }

    std::string works_id;
    std::int64_t received = 0;
};

}  // namespace

TEST_CASE("an automatic seller asks its human about trick messages") {
    NegotiatingSeller s;
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
    NegotiatingSeller s;
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
    NegotiatingSeller s;
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
