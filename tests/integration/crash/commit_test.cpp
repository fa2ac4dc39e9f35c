#include <SQLiteCpp/SQLiteCpp.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/control/home.h"
#include "core/store/inbox_store.h"
#include "tests/integration/crash/world.h"

using namespace a2h;
using namespace a2h::test;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

namespace {

/// A seller behind a proxy, connected and past its self-test, and a buyer.
struct Watched {
    Watched()
        : seller(world.new_seller("seller")),
          buyer(world.market(), "buyer"),
          proxy(world.market().broker_port()),
          daemon(world.home(), {seller}, proxy.uri(), world.options()) {
        REQUIRE(wait_until_ready(daemon, {seller}));
        // A first question and its answer: contact and key are known, and nothing else is in
        // transit.
        buyer.ask(seller.agent_id);
        REQUIRE(buyer.wait_for_replies());
        REQUIRE(eventually([&] { return daemon.status()["last_self_test"].value("ok", false); }));
        REQUIRE(eventually([&] {
            return proxy.count(true, PacketType::Puback) == proxy.count(false, PacketType::Publish);
        }));
        proxy.clear_log();
    }

    std::set<std::string> inbox() {
        return inbox_ids(*world.database(), seller.agent_id, buyer.agent_id());
    }

    World world;
    platform::Account seller;
    Buyer buyer;
    PacketProxy proxy;
    Daemon daemon;
};

bool sent_puback_on(const std::vector<Packet>& log, int connection) {
    return std::any_of(log.begin(), log.end(), [&](const Packet& packet) {
        return packet.from_client && packet.connection == connection &&
               packet.type == PacketType::Puback;
    });
}

}  // namespace

TEST_CASE("While a commit is held no PUBACK leaves, and it leaves after the commit") {
    Watched watched;
    SQLite::Database other(control::Home{watched.world.home()}.database_file().string(),
                           SQLite::OPEN_READWRITE);
    other.setBusyTimeout(5'000);  // a2hd may be writing just now
    other.exec("begin immediate");
    watched.buyer.ask(watched.seller.agent_id);
    REQUIRE(eventually([&] { return watched.proxy.count(false, PacketType::Publish) == 1; }));
    CHECK_FALSE(eventually([&] { return watched.proxy.count(true, PacketType::Puback) > 0; },
                           milliseconds(300)));
    other.exec("rollback");
    CHECK(eventually([&] { return watched.proxy.count(true, PacketType::Puback) > 0; }));
    CHECK(watched.buyer.wait_for_replies());
    CHECK(watched.inbox() == watched.buyer.taken());
}

TEST_CASE("A message whose commit fails is not acknowledged, comes again, and is stored once") {
    Watched watched;
    watched.world.fail_commits(true);
    const std::string id = watched.buyer.ask(watched.seller.agent_id);
    // The adapter cuts its own connection and comes back.
    REQUIRE(eventually([&] { return watched.proxy.count(true, PacketType::Connect) >= 1; }));
    const auto log = watched.proxy.log();
    CHECK_FALSE(sent_puback_on(log, log.front().connection));
    CHECK_FALSE(watched.inbox().contains(id));
    CHECK_FALSE(watched.daemon.status()["store"].value("ok", true));

    watched.world.fail_commits(false);
    CHECK(watched.buyer.wait_for_replies());
    CHECK(watched.inbox() == watched.buyer.taken());
    CHECK(watched.inbox().contains(id));
    CHECK(eventually([&] { return watched.daemon.status()["store"].value("ok", false); }));
}

TEST_CASE("A message that was taken while commits fail survives SIGKILL") {
    Watched watched;
    watched.world.fail_commits(true);
    for (int i = 0; i < 10; ++i)
        watched.buyer.ask(watched.seller.agent_id);
    watched.buyer.pump(milliseconds(200));
    watched.daemon.kill();
    watched.world.fail_commits(false);
    watched.daemon.start();
    CHECK(watched.buyer.wait_for_replies());
    CHECK(watched.buyer.taken().size() == 11);
    CHECK(watched.inbox() == watched.buyer.taken());
}
