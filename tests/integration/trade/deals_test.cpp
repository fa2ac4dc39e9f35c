// Deals as two daemons keep them, from the first message to the order.

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "core/base/time_text.h"
#include "tests/integration/daemon/scene.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

namespace {

json offer_of(int yuan) {
    return {{"type", "offer"},
            {"summary", "Two hours"},
            {"price", {{"currency", "CNY"}, {"amount", yuan}}},
            {"valid_until", to_utc_time(SystemClock().now_ms() + 3'600'000)}};
}

struct Table : Scene {
    std::string seller_id = seller_account.agent_id;
    std::string buyer_id = buyer_account.agent_id;

    Daemon& other(Daemon& daemon) { return &daemon == &seller ? buyer : seller; }
    const std::string& peer_of(Daemon& daemon) { return &daemon == &seller ? buyer_id : seller_id; }

    json send(Daemon& daemon, const json& payload) {
        const json call{{"target_agent_id", peer_of(daemon)}, {"extra_payload", payload}};
        return daemon.call_assistant("send", call.dump());
    }

    /// Sends it with a yes if it needs one, and waits until the other side has decided about it.
    void send_with_yes(Daemon& daemon, const json& payload) {
        const json before = other(daemon).status()["counts"]["received"];
        const json result = send(daemon, payload);
        if (result["ok"] != true) approve(daemon, result["error"]["approval_id"]);
        REQUIRE(eventually([&] { return other(daemon).status()["counts"]["received"] > before; }));
        REQUIRE(no_work_left(other(daemon)));
    }

    json deals_of(Daemon& daemon) {
        return daemon.call_assistant("deal.list", R"({"all":true})")["data"]["items"];
    }
    /// The only deal of `daemon`.
    json deal_of(Daemon& daemon) {
        const json deals = deals_of(daemon);
        REQUIRE_MESSAGE(deals.size() == 1, deals.dump());
        return deals[0];
    }
    /// The phase, and the prices to which the peer and the owner stand.
    std::string state_of(Daemon& daemon) {
        const json deal = deal_of(daemon);
        const auto price = [&](const char* name) {
            return deal.contains(name) ? deal[name].value("price", "?") : std::string("-");
        };
        return deal["phase"].get<std::string>() + " " + price("their_offer") + " " +
               price("our_offer");
    }
    std::string last_offer_of(Daemon& daemon) {
        return deal_of(other(daemon))["their_offer"]["message_id"];
    }
};

}  // namespace

TEST_CASE("a deal stands alike on both sides from the first offer to the agreement") {
    Table t;
    t.send_with_yes(t.seller, offer_of(280));
    CHECK(t.state_of(t.seller) == "offered - 280.00 CNY");
    CHECK(t.state_of(t.buyer) == "offered 280.00 CNY -");

    t.send_with_yes(t.buyer, offer_of(250));
    CHECK(t.state_of(t.seller) == "offered 250.00 CNY 280.00 CNY");
    CHECK(t.state_of(t.buyer) == "offered 280.00 CNY 250.00 CNY");

    const std::string offer_id = t.last_offer_of(t.buyer);
    t.send_with_yes(t.seller, {{"type", "accept"}, {"offer_message_id", offer_id}});
    for (Daemon* daemon : {&t.seller, &t.buyer}) {
        const json deal = t.deal_of(*daemon);
        CHECK_MESSAGE(deal["phase"] == "agreed", deal.dump());
        CHECK(deal["agreed"]["price"] == "250.00 CNY");
        CHECK(deal["agreed"]["conditions"] == json::array({"Two hours"}));
        CHECK(deal["agreed"]["offer_message_id"] == offer_id);
        CHECK_FALSE(deal.contains("their_offer"));
        CHECK_FALSE(deal.contains("our_offer"));
    }
    CHECK(t.deal_of(t.seller)["agreed"]["offered_by"] == "peer");
    CHECK(t.deal_of(t.buyer)["agreed"]["offered_by"] == "us");
}

TEST_CASE("an offer that the peer has taken back in words can no longer be accepted") {
    Table t;
    t.send_with_yes(t.buyer, offer_of(250));
    const std::string offer_id = t.last_offer_of(t.buyer);
    t.send_with_yes(t.buyer, {{"text", "I withdraw my offer."}});
    CHECK(t.state_of(t.seller) == "withdrawn - -");
    const json result = t.send(t.seller, {{"type", "accept"}, {"offer_message_id", offer_id}});
    CHECK(result["error"]["code"] == "conflict");
    const std::string why = result["error"]["message"];
    CHECK_MESSAGE(why.find("no longer stands") != std::string::npos, why);
}

TEST_CASE("a newer offer in words takes the place of a typed one") {
    Table t;
    t.send_with_yes(t.buyer, offer_of(250));
    const std::string offer_id = t.last_offer_of(t.buyer);
    t.send_with_yes(t.buyer, {{"text", "I offer 200 CNY."}});
    CHECK(t.state_of(t.seller) == "offered 200.00 CNY -");
    CHECK(t.send(t.seller, {{"type", "accept"}, {"offer_message_id", offer_id}})["error"]["code"] ==
          "conflict");
}

TEST_CASE("own words that name another price end the own typed offer at the market as well") {
    Table t;
    t.send_with_yes(t.seller, offer_of(300));
    const std::string offer_id = t.deal_of(t.seller)["our_offer"]["message_id"];
    const json result = t.send(t.seller, {{"text", "I offer 350 CNY."}});
    const std::string shown = t.seller.a2h({"approvals"}).out;
    CHECK_MESSAGE(shown.find(offer_id) != std::string::npos, shown);
    t.approve(t.seller, result["error"]["approval_id"]);
    REQUIRE(eventually([&] { return t.state_of(t.buyer) == "offered 350.00 CNY -"; }));
    const json history = t.buyer.call_assistant(
        "inbox.history", json{{"peer_id", t.seller_id}}.dump())["data"]["items"];
    CHECK(history[0]["payload"].value("replaces", "") == offer_id);
}

TEST_CASE("an answer in words that names another price takes the place of the own typed offer") {
    Table t;
    t.send_with_yes(t.seller, offer_of(300));
    t.send_with_yes(t.buyer, {{"text", "I offer 250 CNY."}});
    const json question = t.open_approval();
    const json instructed = t.answer(t.seller, question["approval_id"], "Our price is 280 CNY.");
    REQUIRE_MESSAGE(instructed["ok"] == true, instructed.dump());
    t.approve(t.seller, t.open_approval()["approval_id"]);
    REQUIRE(t.no_work_left(t.seller));
    CHECK(t.state_of(t.seller) == "offered 250.00 CNY 280.00 CNY");
    CHECK(eventually([&] { return t.state_of(t.buyer) == "offered 280.00 CNY 250.00 CNY"; }));
}

TEST_CASE("seven questions of one peer are one card that shows them all") {
    Table t;
    const json messages{"Do you have a studio of your own?",
                        "Can my dog come along?",
                        "Which lamps do you use?",
                        "Do you speak Italian?",
                        "Is there a lift?",
                        "May I bring my own music?",
                        "Do you know the town hall?"};
    for (const json& text : messages) {
        t.send_with_yes(t.buyer, {{"text", text}});
        const json open = t.seller.call_human("approval.list", R"({"status":"pending"})");
        CHECK_MESSAGE(open["data"]["approvals"].size() == 1, open.dump(1));
    }
    const std::string shown = t.seller.a2h({"approvals"}).out;
    for (const json& text : messages)
        CHECK_MESSAGE(shown.find(text.get<std::string>()) != std::string::npos, shown);
}

TEST_CASE("the table of a deal survives kill -9 on both sides") {
    Table t;
    t.send_with_yes(t.seller, offer_of(280));
    t.send_with_yes(t.buyer, offer_of(250));
    const json before = t.deal_of(t.seller);
    for (Daemon* daemon : {&t.seller, &t.buyer}) {
        daemon->kill();
        daemon->start();
        REQUIRE(daemon->connected());
    }
    CHECK(t.deal_of(t.seller) == before);
    t.send_with_yes(t.seller, {{"type", "accept"}, {"offer_message_id", t.last_offer_of(t.buyer)}});
    CHECK(t.deal_of(t.buyer)["phase"] == "agreed");
}

TEST_CASE("an offer that never left is on nobody's table") {
    Table t;
    t.send_with_yes(t.seller, offer_of(280));
    t.market.kill_broker();
    REQUIRE(eventually([&] { return t.seller.status()["connection"]["connected"] == false; }));
    const json result = t.send(t.seller, offer_of(270));
    REQUIRE(t.answer(t.seller, result["error"]["approval_id"], "approve")["ok"] == true);
    CHECK(eventually([&] { return t.state_of(t.seller) == "offered - 270.00 CNY"; }));
    const json rows = t.seller.call_human("outbox.list")["data"]["items"];
    const auto queued = std::find_if(rows.begin(), rows.end(),
                                     [](const json& row) { return row["state"] == "queued"; });
    REQUIRE(queued != rows.end());
    const json dropped = t.seller.call_owner("outbox.drop", json{{"id", (*queued)["id"]}}.dump());
    REQUIRE_MESSAGE(dropped["ok"] == true, dropped.dump());
    CHECK(t.state_of(t.seller) == "offered - 280.00 CNY");
}

TEST_CASE("`a2h deals` and `a2h deal` show who stands to what, with the words of conditions") {
    Table t;
    t.send_with_yes(t.buyer, {{"text", "I offer 250 CNY if it is done by Friday."}});
    const std::string list = t.seller.a2h({"deals"}).out;
    CHECK_MESSAGE(list.find("250.00 CNY *") != std::string::npos, list);
    const std::string id = t.deal_of(t.seller)["deal_id"];
    const std::string shown = t.seller.a2h({"deal", id}).out;
    CHECK_MESSAGE(shown.find("They offer: 250.00 CNY") != std::string::npos, shown);
    CHECK_MESSAGE(shown.find("if it is done by Friday") != std::string::npos, shown);
    CHECK_MESSAGE(shown.find("approve apr_") != std::string::npos, shown);
    CHECK(t.seller.a2h({"deal", "deal_000000000000"}).status != 0);
}

TEST_CASE("a price that was asked for is told to the buyer, and not offered for a yes") {
    Table t;
    t.publish_listing();
    t.send_with_yes(t.buyer, {{"text", "How much is the portrait photo session?"}});
    REQUIRE(eventually([&] { return t.buyer.status()["counts"]["received"] > 0; }));
    REQUIRE(t.no_work_left(t.buyer));
    const json open = t.buyer.call_human("approval.list", R"({"status":"pending"})");
    const json& questions = open["data"]["approvals"];
    REQUIRE_MESSAGE(questions.size() == 1, open.dump(1));
    const std::string asked = questions[0]["question"];
    CHECK_MESSAGE(asked.find("answers your question and names 280.00 CNY") != std::string::npos,
                  asked);
    CHECK(questions[0]["reply_text"] == "");
    CHECK(questions[0]["reject_text"] == "");
}

TEST_CASE("words about an order are asked with its state, and courtesies about it are not asked") {
    Table t;
    MarketClient seller_at_market = t.market.client(t.seller_account);
    t.publish_listing();
    const json works = t.seller.call_assistant("works.list")["data"]["items"];
    const auto made = seller_at_market.call("order.create", {{"customer_id", t.buyer_id},
                                                             {"title", "Portrait"},
                                                             {"content", "One hour"},
                                                             {"price_cent", 28000},
                                                             {"currency", "CNY"},
                                                             {"order_type", 3},
                                                             {"product_id", works[0]["worksId"]}});
    REQUIRE_MESSAGE(made, made.error().message);
    const std::string order_id = made->value("orderId", made->value("order_id", ""));
    REQUIRE_MESSAGE(!order_id.empty(), made->dump());
    REQUIRE(eventually(
        [&] { return t.deals_of(t.seller).size() == 1 && t.deal_of(t.seller).contains("order"); }));
    t.send_with_yes(t.buyer, {{"text", "Thank you very much!"}, {"orderId", order_id}});
    json open = t.seller.call_human("approval.list", R"({"status":"pending"})");
    CHECK_MESSAGE(open["data"]["approvals"].empty(), open.dump(1));
    t.send_with_yes(t.buyer, {{"text", "Shall I bring my own costume?"}, {"orderId", order_id}});
    open = t.seller.call_human("approval.list", R"({"status":"pending"})");
    REQUIRE(open["data"]["approvals"].size() == 1);
    const std::string asked = open["data"]["approvals"][0]["question"];
    CHECK_MESSAGE(asked.find("waits for the customer to confirm it") != std::string::npos, asked);
}

TEST_CASE("a condition that the peer adds to its offer is asked about as a condition") {
    Table t;
    t.publish_listing();
    t.send_with_yes(t.buyer, offer_of(310));
    t.send_with_yes(t.buyer, {{"text", "but only with free travel"}});
    const json card = t.open_approval();
    const std::string asked = card["question"];
    CHECK_MESSAGE(asked.find("adds a condition to its offer of 310.00 CNY") != std::string::npos,
                  asked);
    CHECK(card["reply_text"] == "");
}
