// A broker that loses every session, with all mail that it kept for a disconnected a2hd: the
// messages that the market has recorded are taken from its history, once.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/wire/envelope.h"
#include "tests/integration/crash/world.h"
#include "tests/support/market_http.h"
#include "tests/support/packet_proxy.h"

using namespace a2h;
using namespace a2h::test;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

/// The minute between two queries of the history takes two seconds here.
constexpr int kRate = 30;

struct Forgetful {
    World world;
    const platform::Account seller = world.new_seller("seller");
    Buyer buyer{world.market(), "buyer"};
    PacketProxy proxy{world.market().broker_port()};
    ProcessClock clock{world.dir() / "clock"};
    Daemon daemon{world.home(), {seller}, proxy.uri(), world.options(clock)};

    Forgetful() {
        REQUIRE(wait_until_ready(daemon, {seller}));
        REQUIRE(market_listens());
        // From now on the seller knows this peer, and the history is queried for its messages.
        buyer.ask(seller.agent_id);
        REQUIRE(buyer.wait_for_replies());
        clock.run_at(kRate);
    }
    /// Messages from before the market's first subscription are in no history.
    bool market_listens() {
        return eventually(
            [&] {
                const auto health = test::send({.url = world.market().url() + "/healthz"});
                return health.body["relay"] == "connected";
            },
            seconds(30));
    }
    std::size_t recorded() {
        auto market = world.market().client(seller);
        std::size_t count = 0;
        for (int page = 1;; ++page) {
            const auto found = market.fetch_history(buyer.agent_id(), page, 50);
            REQUIRE(found.has_value());
            for (const std::string& text : *found) {
                if (wire::parse_envelope(text, seller.agent_id).parsed) ++count;
            }
            if (found->size() < 50) return count;
        }
    }
    /// The buyer's messages of this time are lost with the session that the broker keeps for a2hd.
    void lose_session(int questions) {
        proxy.refuse(true);
        proxy.cut();
        REQUIRE(
            eventually([&] { return !daemon.status()["connection"].value("connected", true); }));
        const std::size_t before = buyer.taken().size();
        for (int i = 0; i < questions; ++i)
            buyer.ask(seller.agent_id);
        REQUIRE(eventually(
            [&] {
                buyer.pump(milliseconds(10));
                return buyer.taken().size() == before + static_cast<std::size_t>(questions) &&
                       recorded() == buyer.taken().size();
            },
            seconds(30)));
        world.market().kill_broker();
        std::filesystem::remove(world.market().dir() / "broker.db");
        world.market().start_broker();
        buyer.reconnect();
    }
    bool connects_again() {
        proxy.refuse(false);
        return eventually([&] { return daemon.status()["connection"].value("connected", false); },
                          seconds(30));
    }
};

}  // namespace

TEST_CASE("mail that the broker forgot with a2hd's session is answered from the market's history") {
    Forgetful scene;
    scene.lose_session(40);
    // The market is unreachable when a2hd queries for the first time.
    scene.world.market().stop_market();
    REQUIRE(scene.connects_again());
    const milliseconds tried = scene.clock.elapsed() + seconds(20);
    REQUIRE(eventually([&] { return scene.clock.elapsed() > tried; }));
    scene.world.market().start_market();
    CHECK(scene.buyer.wait_for_replies());

    // And once more within the minute after the query that found them.
    REQUIRE(scene.market_listens());
    scene.lose_session(20);
    REQUIRE(scene.connects_again());
    CHECK(scene.buyer.wait_for_replies());
    CHECK(scene.daemon.status()["connection"]["session_lost"] == 2);
    check_nothing_lost(scene.world, {scene.seller}, scene.buyer);
}
