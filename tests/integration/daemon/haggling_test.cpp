// Two a2hd haggle for their owners, over a real broker and market.

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "core/wire/listing_digest.h"
#include "tests/integration/daemon/scene.h"
#include "tests/support/told_number.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

namespace {

/// Both sides' mandates are about the seller's one listing.
struct Bargain : Scene {
    Bargain() {
        publish_listing();
        works_id = seller.call_assistant("works.list")["data"]["items"][0]["worksId"];
    }

    std::string give(Daemon& daemon, const json& terms) {
        json wanted{{"action", "bargain"}, {"currency", "CNY"},      {"works_id", works_id},
                    {"rounds", 4},         {"strategy", "to_limit"}, {"count_per_day", 1},
                    {"pin", Daemon::kPin}};
        wanted.update(terms);
        const json given = daemon.call_human("mandate.give", wanted.dump());
        REQUIRE_MESSAGE(given["ok"] == true, given.dump());
        return given["data"]["mandate_id"];
    }
    void sell(int floor_minor) {
        give(seller,
             {{"side", "sell"}, {"opening_minor", 30'000}, {"amount_from_minor", floor_minor}});
    }
    void buy(int ceiling_minor) {
        give(buyer, {{"side", "buy"},
                     {"opening_minor", 20'000},
                     {"amount_to_minor", ceiling_minor},
                     {"listing_digest", digest()}});
    }
    /// Of the listing as the buyer sees it now.
    std::string digest() {
        return wire::listing_digest(
            market.client(buyer_account).call("works.get", {{"works_id", works_id}}).value());
    }
    /// The seller's listing has other words from now on.
    void change_listing() {
        const auto changed = market.client(seller_account)
                                 .submit_listing({.type = ListingType::Service,
                                                  .title = "Portrait photo session",
                                                  .content = "The buyer pays for every picture.",
                                                  .expected_price = "300 CNY",
                                                  .service_method = "online",
                                                  .service_location = "",
                                                  .works_id = works_id});
        REQUIRE_MESSAGE(changed.has_value(), (changed ? "" : changed.error().message));
    }
    /// A plain offer of the seller, with the yes of its owner.
    void seller_offers(const char* amount) {
        const json payload{{"type", "offer"},
                           {"worksId", works_id},
                           {"price", {{"amount", amount}, {"currency", "CNY"}}}};
        const json sent = seller.call_assistant(
            "send",
            json{{"target_agent_id", buyer_account.agent_id}, {"extra_payload", payload}}.dump());
        REQUIRE_MESSAGE(sent["error"].contains("approval_id"), sent.dump());
        approve(seller, sent["error"]["approval_id"]);
    }
    json begin() {
        return buyer.call_owner(
            "bargain.start",
            json{{"peer_id", seller_account.agent_id}, {"works_id", works_id}}.dump());
    }
    /// "in offer 300.00", "out accept": the buyer's side of it, oldest first.
    std::vector<std::string> dialogue() {
        const json history = buyer.call_assistant(
            "inbox.history", json{{"peer_id", seller_account.agent_id}}.dump());
        std::vector<std::string> all;
        for (const json& item : history["data"]["items"]) {
            const json payload = item["payload"];
            std::string line = item["direction"].get<std::string>() + " " +
                               payload.value("type", std::string("text"));
            if (payload.contains("price")) {
                line += " " + payload["price"]["amount"].get<std::string>();
            }
            all.insert(all.begin(), line);
        }
        return all;
    }
    /// How many offers and acceptances the buyer has sent.
    std::int64_t committed() {
        const auto said = dialogue();
        return std::count_if(said.begin(), said.end(), [](const std::string& line) {
            return line.starts_with("out offer") || line == "out accept";
        });
    }
    json approvals_of(Daemon& daemon) {
        return daemon.call_assistant("approval.list")["data"]["approvals"];
    }

    std::string works_id;
};

bool has_words(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("two agents with overlapping limits come to a deal by themselves") {
    Bargain s;
    s.sell(24'731);
    s.buy(26'319);
    const json begun = s.begin();
    REQUIRE_MESSAGE(begun["ok"] == true, begun.dump());
    REQUIRE(eventually([&] {
        const auto said = s.dialogue();
        return !said.empty() && has_words(said.back(), "accept");
    }));
    REQUIRE(s.no_work_left(s.seller));
    REQUIRE(s.no_work_left(s.buyer));
    const auto said = s.dialogue();
    CAPTURE(json(said).dump());
    CHECK(said[0] == "out offer 200.00");
    CHECK(said[1] == "in offer 300.00");
    for (std::size_t i = 1; i < said.size(); ++i)
        CHECK(said[i].substr(0, 3) != said[i - 1].substr(0, 3));

    // Each offer and the acceptance is an approval of the mandate, used in the same transaction.
    std::string told;
    for (Daemon* daemon : {&s.seller, &s.buyer}) {
        const json all = s.approvals_of(*daemon);
        for (const json& one : all) {
            if (one["action"] != "reply.send") continue;
            CHECK(one["surface"] == "mandate");
            CHECK(one["status"] == "approved");
            CHECK(one["outcome"] == "executed");
        }
        told += all.dump() + daemon->call_human("mandate.list").dump() + daemon->status().dump() +
                daemon->call_human("events.list").dump() +
                daemon->call_human("audit.export").dump() + daemon->log();
        CHECK(daemon->call_human("mandate.list")["data"]["mandates"][0]["used_today"] == 1);
    }
    told += json(said).dump();
    for (const char* secret : {"24731", "247.31", "26319", "263.19"}) {
        CAPTURE(secret);
        CHECK_FALSE(tells_number(told, secret));
    }
    // The mandates are used up: the next offer asks the human.
    CHECK(s.begin()["error"]["code"] == "conflict");
}

TEST_CASE("limits that do not overlap end politely, and nobody learns where they were") {
    Bargain s;
    s.give(s.seller, {{"side", "sell"},
                      {"opening_minor", 30'000},
                      {"amount_from_minor", 27'900},
                      {"strategy", "hold_back"}});
    s.buy(21'000);
    REQUIRE(s.begin()["ok"] == true);
    const bool parted = eventually([&] {
        const auto said = s.dialogue();
        return !said.empty() && has_words(said.back(), "reject");
    });
    CAPTURE(json(s.dialogue()).dump());
    CAPTURE(s.approvals_of(s.seller).dump());
    CAPTURE(s.approvals_of(s.buyer).dump());
    REQUIRE(parted);
    // The amount of a failed negotiation is free again once the last message has reached the other
    // side.
    REQUIRE(eventually([&] {
        return s.seller.call_human("mandate.list")["data"]["mandates"][0]["used_today"] == 0;
    }));
    REQUIRE(s.no_work_left(s.seller));
    REQUIRE(s.no_work_left(s.buyer));
    const auto said = s.dialogue();
    CAPTURE(json(said).dump());
    CHECK(said.size() <= 9);
    for (const std::string& line : said)
        CHECK(!has_words(line, "accept"));
    for (const char* limit : {"279", "27900"})
        CHECK_FALSE(tells_number(json(said).dump(), limit));
    for (Daemon* daemon : {&s.seller, &s.buyer}) {
        for (const json& one : s.approvals_of(*daemon))
            CHECK(one["status"] != "pending");
    }
}

TEST_CASE("without a mandate, or outside of it, the human is asked as before") {
    Bargain s;
    const auto offer = [&](const json& price, const std::string& works_id, json more = {}) {
        json payload{{"type", "offer"}, {"price", price}, {"worksId", works_id}};
        if (more.is_object()) payload.update(more);
        s.buyer_sends({{"extra_payload", payload}});
    };
    const auto asked = [&] {
        const json open = s.open_approval();
        REQUIRE(s.answer(s.seller, open["approval_id"], "reject")["ok"] == true);
        return true;
    };
    offer({{"amount", "270"}, {"currency", "CNY"}}, s.works_id);
    CHECK(asked());
    s.give(s.seller, {{"side", "sell"},
                      {"opening_minor", 30'000},
                      {"amount_from_minor", 25'000},
                      {"count_per_day", 5},
                      {"peer_id", s.buyer_account.agent_id}});
    offer({{"amount", "270"}, {"currency", "USD"}}, s.works_id);
    CHECK(asked());
    const auto other = s.market.client(s.seller_account)
                           .submit_listing({.type = ListingType::Service,
                                            .title = "Picture frames",
                                            .content = "Frames of oak.",
                                            .expected_price = "300 CNY",
                                            .service_method = "online",
                                            .service_location = "",
                                            .works_id = {}});
    REQUIRE_MESSAGE(other.has_value(), (other ? "" : other.error().message));
    offer({{"amount", "290"}, {"currency", "CNY"}}, *other);
    CHECK(asked());
    offer({{"amount", "290"}, {"currency", "CNY"}}, s.works_id,
          {{"summary", "with delivery tomorrow"}});
    CHECK(asked());
    // Only a plain offer begins a negotiation, and this is one.
    offer({{"amount", "260"}, {"currency", "CNY"}}, s.works_id);
    REQUIRE(eventually([&] { return has_words(s.replies_to_buyer().dump(), "300.00"); }));
    // A condition hands the negotiation to the human, and the code takes no further part in it.
    s.buyer_says("280 CNY if you deliver on Sunday");
    CHECK(asked());
    offer({{"amount", "295"}, {"currency", "CNY"}}, s.works_id);
    CHECK(asked());
}

TEST_CASE("R48: a buyer's mandate ends when the seller's listing is not what its owner saw") {
    Bargain s;
    s.buy(26'319);
    REQUIRE(s.begin()["ok"] == true);
    s.seller_offers("300");
    REQUIRE(eventually([&] { return s.committed() == 2; }));
    SUBCASE("it has other words") {
        s.change_listing();
    }
    SUBCASE("it was deleted") {
        REQUIRE(s.market.client(s.seller_account)
                    .call("works.delete", {{"works_id", s.works_id}})
                    .has_value());
    }
    s.seller_offers("250");
    const json open = s.open_approval_of(s.buyer);
    CHECK_MESSAGE(open["peer_id"] == s.seller_account.agent_id, open.dump());
    REQUIRE(s.no_work_left(s.buyer));
    CHECK_MESSAGE(s.committed() == 2, json(s.dialogue()).dump());
}

TEST_CASE("R48: a mandate to haggle about somebody else's listing needs words that were seen") {
    Bargain s;
    json wanted{{"action", "bargain"}, {"currency", "CNY"},       {"works_id", s.works_id},
                {"side", "buy"},       {"opening_minor", 20'000}, {"amount_to_minor", 26'319},
                {"count_per_day", 1},  {"pin", Daemon::kPin}};
    const json blind = s.buyer.call_human("mandate.give", wanted.dump());
    CHECK_MESSAGE(blind["error"]["code"] == "invalid_argument", blind.dump());
    wanted["listing_digest"] = s.digest();
    s.change_listing();
    CHECK(s.buyer.call_human("mandate.give", wanted.dump())["error"]["code"] == "conflict");
    wanted["listing_digest"] = s.digest();
    CHECK(s.buyer.call_human("mandate.give", wanted.dump())["ok"] == true);
    REQUIRE(s.market.client(s.seller_account)
                .call("works.delete", {{"works_id", s.works_id}})
                .has_value());
    const json begun = s.begin();
    CHECK_MESSAGE(begun["error"]["code"] == "conflict", begun.dump());
    CHECK(s.dialogue().empty());
}

TEST_CASE("R52: an offer of a mandate that could not be sent at once is judged again") {
    Bargain s;
    s.buy(26'319);
    s.market.stop_broker();
    REQUIRE(s.begin()["ok"] == true);
    bool leaves = false;
    SUBCASE("nothing has happened since") {
        leaves = true;
    }
    SUBCASE("the mandate was revoked") {
        REQUIRE(s.buyer.call_human("mandate.revoke_all")["ok"] == true);
    }
    SUBCASE("the listing has changed") {
        s.change_listing();
    }
    s.market.start_broker();
    REQUIRE(eventually([&] { return s.buyer.status()["backlog"]["queued"] == 0; }));
    REQUIRE(s.no_work_left(s.buyer));
    const json heard = s.seller.call_assistant("inbox.history",
                                               json{{"peer_id", s.buyer_account.agent_id}}.dump());
    const json opening = s.approvals_of(s.buyer)[0];
    if (leaves) {
        CHECK(eventually([&] {
            return has_words(s.seller
                                 .call_assistant("inbox.history",
                                                 json{{"peer_id", s.buyer_account.agent_id}}.dump())
                                 .dump(),
                             "200.00");
        }));
        CHECK_MESSAGE(opening["outcome"] == "executed", opening.dump());
        return;
    }
    CHECK(s.buyer.status()["backlog"]["dead"] == 1);
    CHECK_MESSAGE(opening["outcome"] == "failed", opening.dump());
    CHECK_MESSAGE(!has_words(heard.dump(), "200.00"), heard.dump());
}

TEST_CASE("R48: a mandate about somebody else's listing is for the agent that offers it") {
    Bargain s;
    const auto give = [&](json more) {
        more.update({{"action", "bargain"},
                     {"currency", "CNY"},
                     {"works_id", s.works_id},
                     {"listing_digest", s.digest()},
                     {"count_per_day", 9},
                     {"pin", Daemon::kPin}});
        return s.buyer.call_human("mandate.give", more.dump());
    };
    const json sale =
        give({{"side", "sell"}, {"opening_minor", 30'000}, {"amount_from_minor", 100}});
    CHECK_MESSAGE(sale["error"]["code"] == "invalid_argument", sale.dump());
    const json purchase{{"side", "buy"}, {"opening_minor", 20'000}, {"amount_to_minor", 26'319}};
    json with_another = purchase;
    with_another["peer_id"] = s.market.register_agent("stranger").agent_id;
    CHECK(give(with_another)["error"]["code"] == "invalid_argument");
    REQUIRE(give(purchase)["ok"] == true);
    const json mandates = s.buyer.call_human("mandate.list")["data"]["mandates"];
    CHECK(mandates[0]["peer_id"] == s.seller_account.agent_id);
    const json stranger{{"peer_id", with_another["peer_id"]}, {"works_id", s.works_id}};
    CHECK(s.buyer.call_owner("bargain.start", stranger.dump())["ok"] == false);
}

TEST_CASE("a negotiation goes on after both a2hd were killed") {
    Bargain s;
    s.sell(24'731);
    s.buy(26'319);
    s.seller.kill();
    REQUIRE(s.begin()["ok"] == true);
    s.buyer.kill();
    s.buyer.start();
    s.seller.start();
    CHECK(eventually([&] {
        const auto said = s.dialogue();
        return !said.empty() && has_words(said.back(), "accept");
    }));
}
