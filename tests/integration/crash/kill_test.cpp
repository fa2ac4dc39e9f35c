#include <doctest/doctest.h>

#include <cstdlib>
#include <random>

#include "tests/integration/crash/world.h"

using namespace a2h;
using namespace a2h::test;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

namespace {

/// How many questions may wait for an answer: enough that a kill always interrupts some work, few
/// enough to be answered between two kills.
constexpr std::size_t kUnansweredMax = 40;

int kills_wanted() {
    const char* wanted = std::getenv("A2H_TORTURE_KILLS");
    return wanted != nullptr ? std::atoi(wanted) : 200;
}

/// Asks and listens on a thread of its own until it is stopped.
class Traffic {
  public:
    Traffic(Buyer& buyer, std::string seller)
        : buyer_(buyer), seller_(std::move(seller)), thread_([this] { run(); }) {}
    ~Traffic() { stop(); }

    void stop() {
        stopping_ = true;
        if (thread_.joinable()) thread_.join();
    }

  private:
    void run() {
        while (!stopping_) {
            if (buyer_.unanswered() < kUnansweredMax) buyer_.ask(seller_);
            buyer_.pump(milliseconds(2));
        }
    }

    Buyer& buyer_;
    std::string seller_;
    std::atomic<bool> stopping_ = false;
    std::thread thread_;
};

/// One run of a2hd, from its start to SIGKILL.
void live_and_die(const World& world, milliseconds life) {
    Process process({.argv = {A2H_BIN_DIR "/a2hd", "--home", world.home().string()},
                     .environment = {},
                     .stdout_file = world.dir() / "a2hd.out",
                     .stderr_file = world.dir() / "a2hd.log",
                     .pipe_stdin = false});
    const auto status = process.wait(life);
    CHECK_MESSAGE(!status.has_value(), "a2hd ended by itself");
    process.kill();
}

}  // namespace

TEST_CASE("SIGKILL at 200 random moments loses no message and answers each exactly once") {
    World world;
    const auto seller = world.new_seller("seller");
    Buyer buyer(world.market(), "buyer");
    Daemon daemon(world.home(), {seller}, world.market().mqtt_url(), world.options());
    REQUIRE(wait_until_ready(daemon, {seller}));
    daemon.stop();
    // The time of a run until its work is done.
    buyer.ask(seller.agent_id);
    const auto begin = steady_clock::now();
    daemon.start();
    REQUIRE(buyer.wait_for_replies());
    daemon.kill();
    const auto first_life = steady_clock::now() - begin;

    // From before the database is open to the middle of the work.
    const auto longest = std::chrono::duration_cast<milliseconds>(
        std::clamp<steady_clock::duration>(2 * first_life, milliseconds(300), milliseconds(900)));
    std::mt19937 random(20'251'121);
    std::uniform_int_distribution<long> life(5, static_cast<long>(longest.count()));
    {
        Traffic traffic(buyer, seller.agent_id);
        for (int kill = 0; kill < kills_wanted(); ++kill)
            live_and_die(world, milliseconds(life(random)));
    }
    daemon.start();
    CHECK(buyer.wait_for_replies());

    MESSAGE("asked and taken: ", buyer.taken().size(), ", lives of at most ", longest.count(),
            " ms");
    CHECK(buyer.taken().size() > 100);
    check_nothing_lost(world, {seller}, buyer);
}
