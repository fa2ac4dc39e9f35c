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
    json deal_of(Daemon& daemon) {
        const json deals = daemon.call_assistant("deal.list", R"({"all":true})")["data"]["items"];
        REQUIRE_MESSAGE(deals.size() == 1, deals.dump());
        return deals[0];
    }
    bool tries_at_market(const json& payload) { return tries_at_market(payload, peer); }
    /// `agent` writes over HTTP in the only session; false if the market refuses it.
    bool tries_at_market(const json& payload, MarketClient& agent) {
        const json sessions = peer.call("session.list", json::object()).value()["items"];
        platform::Request request;
        request.method = "POST";
        request.path = "/v1/sessions/" + sessions[0]["session_id"].get<std::string>() + "/messages";
        request.body = json{{"payload", payload}}.dump();
        return agent.call(request).has_value();
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

TEST_CASE("R73: a yes accepts what the offer says that it is for, and the card shows it") {
    Typed s;
    json offer = s.offer("250");
    offer["summary"] = "Twelve slides and their source files";
    s.buyer_sends({{"extra_payload", offer}});
    const json card = s.open_approval();
    CHECK(card["question"].get<std::string>().find("Twelve slides") != std::string::npos);
    s.approve(s.seller, card["approval_id"]);
    CHECK(s.answered()["type"] == "accept");
    CHECK(eventually([&] { return s.deals().size() == 1; }));
}

TEST_CASE("R73: the draft of an instruction says that its words accept nothing") {
    Typed s;
    const json card = s.offered("250");
    REQUIRE(s.answer_with(card, {{"decision", "250 is fine, see you on Monday"}})["ok"] == true);
    const json draft = s.open_approval();
    CHECK_MESSAGE(
        draft["covers"].dump().find("is not accepted by these words") != std::string::npos,
        draft.dump(1));
}

TEST_CASE("R75: until its message has left, a yes is queued and not carried out") {
    Typed s;
    const json card = s.offered("250");
    const std::string id = card["approval_id"];
    s.market.stop_broker();
    REQUIRE(eventually([&] { return !s.is_connected(s.seller); }));
    const json answered = s.answer(s.seller, id, "approve");
    CHECK_MESSAGE(answered["data"]["not_yet_sent"] == true, answered.dump(1));
    const std::string asked = json{{"id", id}}.dump();
    const json why = s.seller.call_human("why", asked)["data"]["items"][0];
    CHECK_MESSAGE(why["not_yet_sent"] == true, why.dump(1));
    s.market.start_broker();
    CHECK(eventually([&] { return !s.approval(id).contains("not_yet_sent"); }));
    CHECK(s.seller.call_human("why", asked)["data"]["items"][0]["not_yet_sent"] == false);
}

TEST_CASE("R75: an acceptance that was dropped before it left is no agreement") {
    Typed s;
    const json card = s.offered("250");
    const std::string id = card["approval_id"];
    s.market.stop_broker();
    REQUIRE(eventually([&] { return !s.is_connected(s.seller); }));
    REQUIRE(s.answer(s.seller, id, "approve")["ok"] == true);
    CHECK(s.approval(id)["outcome"] == "executed");
    CHECK(s.approval(id)["not_yet_sent"] == true);
    const json rows = s.seller.call_human("outbox.list", R"({"state":"queued"})")["data"]["items"];
    REQUIRE(rows.size() == 1);
    CHECK(rows[0]["type"] == "accept");
    REQUIRE(s.seller.call_owner("outbox.drop", json{{"id", rows[0]["id"]}}.dump())["ok"] == true);
    const json now = s.approval(id);
    CHECK(now["outcome"] == "failed");
    CHECK(now["outcome_detail"].get<std::string>().find("not sent") != std::string::npos);
}

TEST_CASE(
    "R78: any answer to a question about terms ends the own typed offer, and the card says so") {
    Typed s;
    const std::string own = s.own_offer("270");
    s.buyer_says("Can you do it for 230 CNY, all pictures included?");
    const json card = s.open_approval();
    const std::string covers = card["covers"].dump();
    CHECK_MESSAGE(covers.find("Any answer ends your offer") != std::string::npos, card.dump(1));
    CHECK(covers.find("270.00 CNY") != std::string::npos);
    CHECK(covers.find(own) != std::string::npos);
    SUBCASE("words of the owner's own") {
        REQUIRE(s.answer_with(card, {{"decision", "approve"},
                                     {"reply_text", "That is too little for me."}})["ok"] == true);
    }
    SUBCASE("an instruction") {
        REQUIRE(s.answer_with(card, {{"decision", "I have changed my mind."}})["ok"] == true);
        const json draft = s.open_approval();
        CHECK(draft["covers"].dump().find("Any answer ends your offer") != std::string::npos);
        s.approve(s.seller, draft["approval_id"]);
    }
    SUBCASE("a refusal") {
        REQUIRE(s.answer_with(card, {{"decision", "reject"}})["ok"] == true);
    }
    CHECK(s.answered()["replaces"] == own);
    REQUIRE(eventually([&] { return s.state_of_offer(own) == "replaced"; }));
    CHECK_FALSE(s.tries_at_market({{"type", "accept"}, {"offer_message_id", own}}));
    CHECK(s.deals().empty());
}

TEST_CASE("R78: an answer to a question about facts leaves the own typed offer open") {
    Typed s;
    const std::string own = s.own_offer("270");
    s.buyer_says("Which camera do you use for the pictures?");
    const json card = s.open_approval();
    const std::string covers = card["covers"].dump();
    CHECK_MESSAGE(covers.find("Your offer stays open") != std::string::npos, card.dump(1));
    SUBCASE("while the words say nothing about the terms") {
        REQUIRE(s.answer_with(card, {{"decision", "approve"},
                                     {"reply_text", "It is a small one from Fuji."}})["ok"] ==
                true);
        CHECK_FALSE(s.answered().contains("replaces"));
    }
    SUBCASE("but not if they name another price") {
        REQUIRE(s.answer_with(card, {{"decision", "approve"},
                                     {"reply_text", "One from Fuji. I offer 300 CNY."}})["ok"] ==
                true);
        CHECK(s.answered()["replaces"] == own);
    }
}

TEST_CASE("R77: the deals of both sides name the deal that the market has made") {
    Typed s;
    const json card = s.offered("250");
    s.approve(s.seller, card["approval_id"]);
    REQUIRE(eventually([&] { return s.deals().size() == 1; }));
    for (Daemon* daemon : {&s.seller, &s.buyer}) {
        REQUIRE(eventually([&] {
            return s.deal_of(*daemon)["agreed"].value("market_deal_id", "") ==
                   s.deals()[0]["deal_id"];
        }));
        CHECK(s.deal_of(*daemon)["phase"] == "agreed");
    }
    // A deal of the market does not end by words.
    s.buyer_says("I withdraw my offer.");
    CHECK(eventually([&] { return s.deal_of(s.seller)["agreed"].contains("taken_back"); }));
    CHECK(s.deal_of(s.seller)["phase"] == "agreed");
}

TEST_CASE("R77: nothing is agreed if the market has not taken the acceptance") {
    Typed s;
    const json card = s.offered("250");
    const std::string offer_id = s.deal_of(s.seller)["their_offer"]["message_id"];
    // The owner has rejected the offer with another program, of which a2hd is not told.
    MarketClient owner = s.market.client(s.seller_account);
    REQUIRE(s.tries_at_market({{"type", "reject"}, {"offer_message_id", offer_id}}, owner));
    s.approve(s.seller, card["approval_id"]);
    CHECK(s.answered()["type"] == "accept");
    CHECK(eventually([&] { return !s.deal_of(s.seller).contains("agreed"); }));
    CHECK(s.deal_of(s.seller)["phase"] != "agreed");
    CHECK(s.deals().empty());
}

TEST_CASE("R77: a peer's offer and acceptance over HTTP count in the deal like its mail") {
    Typed s;
    const std::string own = s.own_offer("270");
    const json price{{"amount", "240"}, {"currency", "CNY"}};
    REQUIRE(s.tries_at_market({{"type", "offer"}, {"price", price}}));
    REQUIRE(eventually([&] {
        return s.deal_of(s.seller).value("/their_offer/price"_json_pointer, "") == "240.00 CNY";
    }));
    REQUIRE(s.tries_at_market({{"type", "accept"}, {"offer_message_id", own}}));
    REQUIRE(eventually([&] { return s.deal_of(s.seller)["phase"] == "agreed"; }));
    const json agreed = s.deal_of(s.seller)["agreed"];
    CHECK(agreed["price"] == "270.00 CNY");
    CHECK(agreed["offered_by"] == "us");
    CHECK(agreed["market_deal_id"] == s.deals()[0]["deal_id"]);
}

TEST_CASE("R77: an acceptance that says more is no agreement until the market makes its deal") {
    Typed s;
    const std::string own = s.own_offer("270");
    s.buyer_sends({{"text", "Yes, if you also bring the drone."},
                   {"extra_payload", {{"type", "accept"}, {"offer_message_id", own}}}});
    const json card = s.open_approval();
    CHECK_MESSAGE(card["question"].get<std::string>().find("other terms") != std::string::npos,
                  card.dump(1));
    REQUIRE(eventually([&] { return s.deals().size() == 1; }));
    REQUIRE(eventually([&] { return s.deal_of(s.seller).contains("agreed"); }));
    CHECK(s.deal_of(s.seller)["agreed"]["price"] == "270.00 CNY");
}

TEST_CASE("R78: an own offer that the peer has declined in words is replaced by the next one") {
    Typed s;
    const std::string own = s.own_offer("240");
    s.buyer_says("No, thank you.");
    REQUIRE(eventually([&] { return !s.deal_of(s.seller).contains("our_offer"); }));
    const json deal = s.deal_of(s.seller);
    CHECK_MESSAGE(deal["open_at_market"]["message_id"] == own, deal.dump(1));
    const json asked = s.send({{"extra_payload", s.offer("300")}});
    const std::string id = asked["error"]["approval_id"];
    const std::string card = s.seller.a2h({"approvals"}).out;
    CHECK_MESSAGE(card.find("Ends your offer: 240.00 CNY") != std::string::npos, card);
    s.approve(s.seller, id);
    REQUIRE(eventually([&] { return s.state_of_offer(own) == "replaced"; }));
    CHECK_FALSE(s.tries_at_market({{"type", "accept"}, {"offer_message_id", own}}));
    CHECK(s.deals().empty());
}

TEST_CASE("R78: an answer ends an own offer that the peer has declined in words") {
    Typed s;
    const std::string own = s.own_offer("240");
    s.buyer_says("Sorry, I changed my mind. No deal.");
    const json card = s.open_approval();
    CHECK(card["covers"].dump().find("Any answer ends your offer") != std::string::npos);
    REQUIRE(s.answer_with(card, {{"decision", "approve"},
                                 {"reply_text", "OK, then there is no deal."}})["ok"] == true);
    REQUIRE(eventually([&] { return s.state_of_offer(own) == "replaced"; }));
}

TEST_CASE("R45: an own offer or acceptance closes what else waits to be offered or accepted") {
    Typed s;
    const auto ask = [&](const std::string& amount) {
        const json asked = s.send({{"extra_payload", s.offer(amount)}});
        REQUIRE_MESSAGE(asked["error"].contains("approval_id"), asked.dump());
        return asked["error"]["approval_id"].get<std::string>();
    };
    const auto is_open = [&](const std::string& id) {
        return s.stored_approval(s.seller, id).status == ApprovalStatus::Pending;
    };
    SUBCASE("an acceptance, the question about another offer") {
        const json card = s.offered("200");
        const std::string waiting = ask("240");
        s.approve(s.seller, card["approval_id"]);
        CHECK(s.answered()["type"] == "accept");
        CHECK_FALSE(is_open(waiting));
    }
    SUBCASE("an offer, the question about another one") {
        const std::string first = ask("240");
        const std::string second = ask("230");
        s.approve(s.seller, first);
        REQUIRE(eventually([&] { return !s.replies_to_buyer().empty(); }));
        CHECK_FALSE(is_open(second));
    }
}

TEST_CASE("R78: an offer that the peer has taken back with any words can no longer be accepted") {
    Typed s;
    s.offered("250");
    const std::string offer_id = s.deal_of(s.seller)["their_offer"]["message_id"];
    SUBCASE("by mail") {
        s.buyer_sends({{"text", "Thanks!"}, {"extra_payload", {{"replaces", offer_id}}}});
    }
    SUBCASE("by a question that a rule answers") {
        s.buyer_sends({{"text", "How much is the portrait photo session?"},
                       {"extra_payload", {{"replaces", offer_id}}}});
    }
    SUBCASE("over HTTP") {
        REQUIRE(s.tries_at_market({{"type", "text"}, {"text", "hi"}, {"replaces", offer_id}}));
    }
    REQUIRE(eventually([&] { return !s.deal_of(s.seller).contains("their_offer"); }));
    REQUIRE(s.no_work_left(s.seller));
    const json late = s.answer(s.seller, s.open_approval()["approval_id"], "approve");
    CHECK_MESSAGE(late["ok"] == false, late.dump());
    CHECK(late.dump().find("changed meanwhile") != std::string::npos);
    CHECK(s.deals().empty());
}

TEST_CASE("R78: a refusal in words that names the peer's price is no offer of ours") {
    Typed s;
    s.buyer_says("Could you do it for 200 CNY?");
    const json card = s.open_approval();
    std::string words;
    SUBCASE("in English") {
        words = "I will not do it for 200 CNY.";
    }
    SUBCASE("in Chinese") {
        words = "200元我不做。";
    }
    REQUIRE(s.answer_with(card, {{"decision", "approve"}, {"reply_text", words}})["ok"] == true);
    s.buyer_says("Agreed, I accept.");
    REQUIRE(eventually([&] { return s.seller.status()["counts"]["received"] == 2; }));
    REQUIRE(s.no_work_left(s.seller));
    const json deal = s.deal_of(s.seller);
    CHECK_MESSAGE(deal["phase"] != "agreed", deal.dump(1));
    CHECK_FALSE(deal.contains("our_offer"));
}
