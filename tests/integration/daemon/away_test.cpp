// What was said to an agent while it was away and its broker forgot everything.

#include <doctest/doctest.h>

#include <set>

#include "core/base/ids.h"
#include "tests/integration/daemon/scene.h"
#include "tests/support/market_http.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

namespace {

/// What `sender` said to `receiver`, as the market has recorded it.
long in_history(const platform::Account& sender, const platform::Account& receiver) {
    const auto answer = test::send(
        nonce_request(sender, "GET",
                      "/agent-message/api/v1/agents/sessions/messages?limit=100&sessionId=" +
                          session_id(sender.agent_id, receiver.agent_id),
                      "", random_hex(16)));
    const json items = answer.data()["items"];
    return std::count_if(items.begin(), items.end(),
                         [&](const json& item) { return item["senderId"] == sender.agent_id; });
}

std::multiset<std::string> texts_from(Daemon& daemon, const std::string& peer) {
    const json history =
        daemon.call_assistant("inbox.history", json{{"peer_id", peer}, {"limit", 50}}.dump());
    REQUIRE_MESSAGE(history.value("ok", false), history.dump());
    std::multiset<std::string> texts;
    for (const json& item : history["data"]["items"]) {
        if (item["direction"] == "in") texts.insert(item["text"].get<std::string>());
    }
    return texts;
}

}  // namespace

TEST_CASE("a2hd takes from the market's history what its broker has lost, once") {
    Scene scene;
    const std::string& buyer = scene.buyer_account.agent_id;
    // What is said before the market listens for the first time is in no history.
    REQUIRE(eventually([&] {
        return test::send({.url = scene.market.url() + "/healthz"}).body["relay"] == "connected";
    }));
    scene.buyer_says("Good morning!");
    REQUIRE(eventually([&] { return texts_from(scene.seller, buyer).size() == 1; }));
    scene.seller.stop();
    scene.buyer_says("Are you open on Sunday?");
    scene.buyer_says("And is there parking?");
    REQUIRE(eventually([&] { return in_history(scene.buyer_account, scene.seller_account) == 3; }));
    scene.market.stop_broker();
    std::filesystem::remove(scene.market.dir() / "broker.db");
    scene.market.start_broker();

    scene.seller.start();
    const std::multiset<std::string> all{"Good morning!", "Are you open on Sunday?",
                                         "And is there parking?"};
    CHECK(eventually([&] { return texts_from(scene.seller, buyer) == all; },
                     std::chrono::seconds(20)));
    // It looks again after the next connection, and everything is there already.
    scene.seller.stop();
    scene.seller.start();
    REQUIRE(scene.seller.connected());
    scene.buyer_says("Thank you.");
    CHECK(eventually([&] { return texts_from(scene.seller, buyer).size() == 4; }));
    CHECK(texts_from(scene.seller, buyer).count("Are you open on Sunday?") == 1);
}
