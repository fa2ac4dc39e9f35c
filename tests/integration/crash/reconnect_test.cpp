// The connections of a2hd are cut again and again, for as many reconnects as a bad line has in a
// month: no mail is lost or answered twice, and a2hd does not grow.
#include <doctest/doctest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "tests/integration/crash/world.h"
#include "tests/support/packet_proxy.h"

using namespace a2h;
using namespace a2h::test;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

/// Each has a connection of its own, and all are cut at once.
constexpr int kAgents = 8;
constexpr int kWarmRounds = 3;
/// While there is work, and while a connection only has to last.
constexpr int kWorkRate = 20;
constexpr int kIdleRate = 400;
/// A connection that is cut sooner looks as if another client had taken it over.
constexpr seconds kLongLived{12};

int reconnects_wanted() {
    const char* wanted = std::getenv("A2H_TORTURE_RECONNECTS");
    return wanted != nullptr ? std::atoi(wanted) : 48;
}

struct BadLine {
    World world;
    std::vector<platform::Account> sellers = new_sellers();
    Buyer buyer{world.market(), "buyer"};
    PacketProxy proxy{world.market().broker_port()};
    ProcessClock clock{world.dir() / "clock"};
    Daemon daemon{world.home(), sellers, proxy.uri(), world.options(clock)};

    BadLine() { REQUIRE(wait_until_ready(daemon, sellers)); }

    std::vector<platform::Account> new_sellers() {
        std::vector<platform::Account> made;
        for (int i = 0; i < kAgents; ++i)
            made.push_back(world.new_seller("seller " + std::to_string(i)));
        return made;
    }
    /// The market goes by the machine's time and refuses who is five minutes off; how far a fast
    /// clock gets depends on the machine.
    void set_wall_clock() {
        const milliseconds ahead(clock.now_ms() - SystemClock().now_ms());
        clock.jump(-std::chrono::duration_cast<seconds>(ahead));
    }
    /// Questions are asked while all agents are disconnected, and are answered after they have
    /// reconnected.
    void cut_all() {
        set_wall_clock();
        clock.run_at(kWorkRate);
        proxy.cut();
        for (const auto& seller : sellers)
            buyer.ask(seller.agent_id);
        REQUIRE(buyer.wait_for_replies());
        clock.run_at(kIdleRate);
        const milliseconds lived = clock.elapsed() + kLongLived;
        REQUIRE(eventually([&] {
            buyer.pump(milliseconds(5));
            return clock.elapsed() >= lived;
        }));
    }
    int reconnects() {
        int count = 0;
        for (const auto& seller : sellers)
            count += daemon.status(seller.agent_id)["connection"].value("reconnects", 0);
        return count;
    }
};

}  // namespace

TEST_CASE("reconnects without end lose nothing, double nothing, and leave nothing behind") {
    BadLine scene;
    for (int round = 0; round < kWarmRounds; ++round)
        scene.cut_all();
    const Footprint warm = footprint_of(scene.daemon.process().pid());
    const int before = scene.reconnects();
    for (int round = 0; round < reconnects_wanted() / kAgents; ++round)
        scene.cut_all();
    scene.clock.run_at(1);
    MESSAGE("reconnects: ", scene.reconnects());
    CHECK(scene.reconnects() - before >= reconnects_wanted());
    check_nothing_lost(scene.world, scene.sellers, scene.buyer);
    check_flat(warm, footprint_of(scene.daemon.process().pid()));
}
