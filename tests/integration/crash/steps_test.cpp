// a2hd is killed at every numbered step of receive, decide, effects and dispatch (A2H_FAULT_POINT),
// and starts again: nothing is lost, and nobody is answered twice.
#include <doctest/doctest.h>

#include <csignal>
#include <cstdlib>

#include "tests/integration/crash/world.h"

using namespace a2h;
using namespace a2h::test;
using std::chrono::milliseconds;

namespace {

constexpr const char* kSteps[] = {"receive.1",  "receive.2",  "receive.3", "receive.4",
                                  "receive.5",  "decide.1",   "decide.2",  "decide.3",
                                  "effects.1",  "effects.2",  "effects.3", "dispatch.1",
                                  "dispatch.2", "dispatch.3", "dispatch.4"};
/// One question that is decided while it is stored, then some that wait for each other, which are
/// decided afterwards.
constexpr int kQuestionsAtOnce = 12;

int passes_wanted() {
    const char* wanted = std::getenv("A2H_TORTURE_PASSES");
    return wanted != nullptr ? std::atoi(wanted) : 2;
}

/// True when a2hd reached that pass of the step and was killed there.
bool live_until(const World& world, Buyer& buyer, const std::string& seller,
                const std::string& step) {
    Process process({.argv = {A2H_BIN_DIR "/a2hd", "--home", world.home().string()},
                     .environment = {{"A2H_FAULT_POINT", step}},
                     .stdout_file = world.dir() / "a2hd.out",
                     .stderr_file = world.dir() / "a2hd.log",
                     .pipe_stdin = false});
    buyer.ask(seller);
    constexpr int kTicksOfQuestions = 400;
    constexpr int kTicksMax = 3'000;  // a build with sanitizers takes its time
    for (int tick = 0; tick < kTicksMax; ++tick) {
        buyer.pump(milliseconds(10));
        if (process.wait(milliseconds(0))) return true;
        if (tick % 20 == 10 && tick < kTicksOfQuestions) {
            for (int i = 0; i < kQuestionsAtOnce; ++i)
                buyer.ask(seller);
        }
    }
    process.kill();
    return false;
}

}  // namespace

TEST_CASE("a kill at any step loses nothing and answers nobody twice") {
    World world;
    const auto seller = world.new_seller("seller");
    Buyer buyer(world.market(), "buyer");
    Daemon daemon(world.home(), {seller}, world.market().mqtt_url(), world.options());
    REQUIRE(wait_until_ready(daemon, {seller}));
    daemon.stop();
    for (const std::string step : kSteps) {
        for (int pass = 1; pass <= passes_wanted(); ++pass) {
            CAPTURE(step);
            CAPTURE(pass);
            CHECK_MESSAGE(
                live_until(world, buyer, seller.agent_id, step + ":" + std::to_string(pass * pass)),
                "a2hd never came to this step");
            daemon.start();
            CHECK(buyer.wait_for_replies());
            check_nothing_lost(world, {seller}, buyer);
            daemon.stop();
        }
    }
}
