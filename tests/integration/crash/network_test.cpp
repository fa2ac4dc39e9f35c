// A network between a2hd and its broker that cuts, delays, splits and repeats packets.
#include <doctest/doctest.h>

#include <cstdlib>
#include <random>

#include "tests/integration/crash/world.h"
#include "tests/support/packet_proxy.h"

using namespace a2h;
using namespace a2h::test;
using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

namespace {

constexpr std::size_t kUnansweredMax = 40;
/// Back-off would take most of the time, and many short connections look like another client's.
constexpr int kRate = 10;

seconds time_wanted() {
    const char* wanted = std::getenv("A2H_TORTURE_SECONDS");
    return seconds(wanted != nullptr ? std::atoi(wanted) : 20);
}

class BadNetwork {
  public:
    explicit BadNetwork(PacketProxy& proxy) : proxy_(proxy) {}

    /// Adds or removes one fault.
    void turn() {
        proxy_.refuse(false);
        switch (std::uniform_int_distribution<int>(0, 8)(random_)) {
            case 0:
                proxy_.refuse(true);
                break;
            case 1:
            case 2:
                proxy_.cut();
                ++cuts_;
                break;
            case 3:
            case 4:
                proxy_.delay(milliseconds(std::uniform_int_distribution<int>(0, 60)(random_)));
                break;
            case 5:
            case 6:
                proxy_.halve(coin_(random_));
                break;
            default:
                proxy_.repeat(coin_(random_));
        }
    }
    milliseconds pause() {
        return milliseconds(std::uniform_int_distribution<int>(100, 1'200)(random_));
    }
    void calm_down() {
        proxy_.delay(milliseconds(0));
        proxy_.halve(false);
        proxy_.repeat(false);
        proxy_.refuse(false);
    }
    int cuts() const { return cuts_; }

  private:
    PacketProxy& proxy_;
    std::mt19937 random_{20'251'122};
    std::bernoulli_distribution coin_{0.5};
    int cuts_ = 0;
};

}  // namespace

TEST_CASE("a network that cuts, delays, halves and repeats loses nothing and doubles no reply") {
    World world;
    const auto seller = world.new_seller("seller");
    Buyer buyer(world.market(), "buyer");
    PacketProxy proxy(world.market().broker_port());
    ProcessClock clock(world.dir() / "clock");
    Daemon daemon(world.home(), {seller}, proxy.uri(), world.options(clock));
    REQUIRE(wait_until_ready(daemon, {seller}));
    clock.run_at(kRate);

    BadNetwork network(proxy);
    const auto end = steady_clock::now() + time_wanted();
    while (steady_clock::now() < end) {
        network.turn();
        const auto next = steady_clock::now() + network.pause();
        while (steady_clock::now() < next) {
            if (buyer.unanswered() < kUnansweredMax) buyer.ask(seller.agent_id);
            buyer.pump(milliseconds(5));
        }
    }
    network.calm_down();
    CHECK(buyer.wait_for_replies());

    MESSAGE("asked and taken: ", buyer.taken().size(), ", cuts: ", network.cuts());
    CHECK(buyer.taken().size() > kUnansweredMax);
    CHECK(network.cuts() > 0);
    check_nothing_lost(world, {seller}, buyer);
}
