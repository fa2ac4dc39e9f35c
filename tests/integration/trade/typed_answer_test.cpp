// What a yes or a no to a peer's offer sends, if the offer is a message of its own type.

#include <doctest/doctest.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <thread>

#include "core/base/time_text.h"
#include "tests/integration/trade/open_table.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

namespace {

/// A seller and a buyer with a session at the market, so that an acceptance makes a deal.
struct Typed : OpenTable {
    Typed() {
        REQUIRE(eventually([&] { return market_listens(); }));
        REQUIRE(peer.call("session.create", {{"agent_id", seller_account.agent_id}}));
    }
    /// What is sent before the market's first connection to the broker is in no session.
    bool market_listens() {
        std::ifstream log(market.dir() / "market.log");
        const std::string text{std::istreambuf_iterator<char>(log), {}};
        return text.find("Connected to the broker") != std::string::npos;
    }

    json offer(const std::string& amount) {
        return {{"type", "offer"},
                {"text", "Would you take " + amount + " CNY?"},
                {"worksId", works_id},
                {"price", {{"currency", "CNY"}, {"amount", amount}}},
                {"valid_until", to_utc_time(SystemClock().now_ms() + 3'600'000)}};
    }
    /// The seller's question about an offer of the buyer.
    json offered(const std::string& amount) {
        buyer_sends({{"extra_payload", offer(amount)}});
        return open_approval();
    }
    /// The seller's own offer, which the buyer has received.
    std::string own_offer(const std::string& amount) {
        const json asked = send({{"extra_payload", offer(amount)}});
        REQUIRE_MESSAGE(asked["error"].contains("approval_id"), asked.dump());
        approve(seller, asked["error"]["approval_id"]);
        REQUIRE(eventually([&] { return !replies_to_buyer().empty(); }));
        return replies_to_buyer()[0]["message_id"];
    }
    /// What a yes or a no of the seller has sent, as the buyer has received it.
    json answered() {
        json payload;
        REQUIRE(eventually([&] {
            for (const json& reply : replies_to_buyer()) {
                payload = reply["payload"];
                const bool is_own_offer = payload.value("type", "") == "offer";
                const bool is_holding = payload.value("text", "").starts_with("Your message has");
                if (!is_own_offer && !is_holding) return true;
            }
            return false;
        }));
        return payload;
    }
    json deals() { return peer.call("recorded_deal.list", json::object()).value()["items"]; }
    std::string state_of_offer(const std::string& id) {
        const json sessions = peer.call("session.list", json::object()).value()["items"];
        const json offers =
            peer.call("session.offers", {{"session_id", sessions[0]["session_id"]}}).value();
        for (const json& one : offers["items"])
            if (one["message_id"] == id) return one["state"];
        return "unknown";
    }
    json answer_with(const json& card, json more) {
        more.update({{"approval_id", card["approval_id"]}, {"pin", Daemon::kPin}});
        return seller.call_human("approval.answer", more.dump());
    }

    MarketClient peer = market.client(buyer_account);
};

}  // namespace

TEST_CASE("R73: a yes to a typed offer makes the deal that its card has shown") {
    Typed s;
    const json card = s.offered("250");
    const std::string covers = card["covers"].dump();
    CHECK_MESSAGE(covers.find("acceptance of an offer") != std::string::npos, card.dump(1));
    CHECK(covers.find("To be sent before") != std::string::npos);
    CHECK(covers.find("With a no / Type") != std::string::npos);
    CHECK(covers.find("rejection of an offer") != std::string::npos);
    s.approve(s.seller, card["approval_id"]);
    json sent = s.answered();
    CHECK(sent["type"] == "accept");
    CHECK(sent["text"].get<std::string>().starts_with("Agreed: 250.00 CNY"));
    CHECK(sent["worksId"] == s.works_id);
    CHECK(covers.find(sent["offer_message_id"].get<std::string>()) != std::string::npos);
    CHECK(covers.find(sent["offer_payload_hash"].get<std::string>()) != std::string::npos);
    CHECK_FALSE(sent.contains("replaces"));
    REQUIRE(eventually([&] { return s.deals().size() == 1; }));
    CHECK(s.deals()[0]["price_minor"] == 25'000);
}

TEST_CASE("R73: after a yes to a typed offer the own older offer can no longer be accepted") {
    Typed s;
    const std::string own = s.own_offer("270");
    const json card = s.offered("250");
    CHECK_MESSAGE(card["covers"].dump().find(own) != std::string::npos, card.dump(1));
    s.approve(s.seller, card["approval_id"]);
    CHECK(s.answered()["replaces"] == own);
    REQUIRE(eventually([&] { return s.deals().size() == 1; }));
    CHECK(s.state_of_offer(own) == "replaced");
}

TEST_CASE("R73: words of the owner's own accept no typed offer") {
    Typed s;
    const json card = s.offered("250");
    CHECK(card["covers"].dump().find("the offer is not accepted") != std::string::npos);
    SUBCASE("an edit") {
        REQUIRE(s.answer_with(card, {{"decision", "approve"},
                                     {"reply_text", "Agreed, if you come on Sunday."}})["ok"] ==
                true);
    }
    SUBCASE("an instruction") {
        REQUIRE(s.answer_with(card, {{"decision", "270 CNY"}})["ok"] == true);
        const json draft = s.open_approval();
        CHECK(draft["covers"].dump().find("acceptance") == std::string::npos);
        s.approve(s.seller, draft["approval_id"]);
    }
    json sent = s.answered();
    CHECK_MESSAGE(sent.value("type", "text") == "text", sent.dump());
    CHECK_FALSE(sent.contains("offer_message_id"));
    REQUIRE(s.no_work_left(s.seller));
    CHECK(s.deals().empty());
}

TEST_CASE("R73: a plain yes in other words accepts the typed offer with these words") {
    Typed s;
    const json card = s.offered("250");
    REQUIRE(s.answer_with(card, {{"decision", "approve"}, {"reply_text", "OK!"}})["ok"] == true);
    json sent = s.answered();
    CHECK(sent["type"] == "accept");
    CHECK(sent["text"] == "OK!");
    CHECK(eventually([&] { return s.deals().size() == 1; }));
}

TEST_CASE("R73: a no to a typed offer rejects it at the market") {
    Typed s;
    const json card = s.offered("250");
    REQUIRE(s.answer_with(card, {{"decision", "reject"}})["ok"] == true);
    json sent = s.answered();
    CHECK(sent["type"] == "reject");
    CHECK(sent["text"].get<std::string>().find("250.00 CNY") != std::string::npos);
    const std::string offer = sent["offer_message_id"];
    CHECK(eventually([&] { return s.state_of_offer(offer) == "rejected"; }));
}

TEST_CASE("R73: nothing is drafted that agrees to a typed offer that has ended") {
    Typed s;
    s.seller.stop();
    json offer = s.offer("250");
    const UnixMs until_ms = SystemClock().now_ms() + 3'000;
    offer["valid_until"] = to_utc_time(until_ms);
    s.buyer_sends({{"extra_payload", offer}});
    REQUIRE(s.no_work_left(s.buyer));
    std::this_thread::sleep_for(std::chrono::milliseconds(until_ms - SystemClock().now_ms()));
    s.seller.start();
    const json card = s.open_approval();
    CHECK(card["reply_text"] == "");
}

TEST_CASE("R73: a yes to an offer in words sends words") {
    Typed s;
    s.buyer_says("Would you take 250 CNY?");
    const json card = s.open_approval();
    CHECK(card["covers"].dump().find("acceptance") == std::string::npos);
    s.approve(s.seller, card["approval_id"]);
    json sent = s.answered();
    CHECK_FALSE(sent.contains("type"));
    CHECK(sent["text"].get<std::string>().starts_with("Agreed: 250.00 CNY"));
}

TEST_CASE("R75: an acceptance that was dropped before it left is no agreement") {
    Typed s;
    const json card = s.offered("250");
    const std::string id = card["approval_id"];
    s.market.stop_broker();
    REQUIRE(eventually([&] { return !s.is_connected(s.seller); }));
    REQUIRE(s.answer(s.seller, id, "approve")["ok"] == true);
    CHECK(s.approval(id)["outcome"] == "executed");
    const json rows = s.seller.call_human("outbox.list", R"({"state":"queued"})")["data"]["items"];
    REQUIRE(rows.size() == 1);
    CHECK(rows[0]["type"] == "accept");
    REQUIRE(s.seller.call_owner("outbox.drop", json{{"id", rows[0]["id"]}}.dump())["ok"] == true);
    const json now = s.approval(id);
    CHECK(now["outcome"] == "failed");
    CHECK(now["outcome_detail"].get<std::string>().find("not sent") != std::string::npos);
}
