// A day of a2hd, its market and its broker, all with one simulated clock: it runs fast while there
// is no traffic, and slowly while there is work, because disk and network are no faster than they
// are. Leases, self-tests, tokens, sweeps and saves come as often as in a real day.
#include <doctest/doctest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "tests/integration/crash/world.h"
#include "tests/support/packet_proxy.h"

using namespace a2h;
using namespace a2h::test;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

namespace {

constexpr int kWorkRate = 20;
constexpr int kIdleRate = 500;
/// The pause between rounds of questions, and the number of questions in a round.
constexpr minutes kPause{5};
constexpr int kQuestions = 3;
/// The connection is lost after this many pauses; a token is valid for two hours.
constexpr int kPausesALoss = 12;
constexpr minutes kWarm{10};

minutes time_wanted() {
    const char* wanted = std::getenv("A2H_TORTURE_MINUTES");
    return minutes(wanted != nullptr ? std::atoi(wanted) : 20);
}

struct Day {
    TempDir dir;
    ProcessClock clock{dir.path() / "clock"};
    World world{clock.environment()};
    const platform::Account seller = world.new_seller("seller");
    Buyer buyer{world.market(), "buyer"};
    PacketProxy proxy{world.market().broker_port()};
    Daemon daemon{world.home(), {seller}, proxy.uri(), world.options(clock)};
    int pauses = 0;

    Day() { REQUIRE(wait_until_ready(daemon, {seller})); }

    void live_until(milliseconds end) {
        while (clock.elapsed() < end) {
            clock.run_at(kWorkRate);
            if (++pauses % kPausesALoss == 0) proxy.cut();
            for (int i = 0; i < kQuestions; ++i)
                buyer.ask(seller.agent_id);
            REQUIRE(buyer.wait_for_replies());
            clock.run_at(kIdleRate);
            const milliseconds next = clock.elapsed() + kPause;
            REQUIRE(eventually(
                [&] {
                    buyer.pump(milliseconds(20));
                    return clock.elapsed() >= next;
                },
                seconds(kPause) / kIdleRate * 10 + seconds(10)));
        }
    }
};

}  // namespace

TEST_CASE("after a day of mail nothing is lost or doubled and a2hd uses no more resources") {
    Day day;
    day.live_until(kWarm);
    const Footprint warm = footprint_of(day.daemon.process().pid());
    day.live_until(kWarm + time_wanted());
    day.clock.run_at(1);
    MESSAGE("simulated minutes: ", day.clock.elapsed() / minutes(1),
            ", asked and taken: ", day.buyer.taken().size());
    check_nothing_lost(day.world, {day.seller}, day.buyer);
    check_flat(warm, footprint_of(day.daemon.process().pid()));
    CHECK(eventually([&] { return day.daemon.status()["lease"]["standing"] == "leading"; },
                     seconds(30)));
    CHECK(
        eventually([&] { return day.daemon.status()["market"].value("ok", false); }, seconds(30)));
}
