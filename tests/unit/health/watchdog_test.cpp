#include "daemon/health/watchdog.h"

#include <doctest/doctest.h>

#include <string>

using namespace std::chrono_literals;
using a2h::health::SteadyTime;
using a2h::health::StepMark;
using a2h::health::Watchdog;

namespace {

/// A watchdog with a time-out of 20 s, and a step that the test begins and ends.
struct Scene {
    SteadyTime now{1h};
    std::optional<SteadyTime> step_began;
    int fed = 0;
    std::chrono::milliseconds pause{};
    std::function<void()> look;
    Watchdog watchdog;

    explicit Scene(std::chrono::microseconds period = 20s, std::chrono::milliseconds network = 0ms)
        : watchdog({.call_after =
                        [this](std::chrono::milliseconds delay, std::function<void()> task) {
                            pause = delay;
                            look = std::move(task);
                        },
                    .now = [this] { return now; },
                    .feed = [this] { ++fed; }},
                   period, {{"step", [this] { return step_began; }, network}}) {
        watchdog.start();
    }

    /// True when the check after `passed` pinged the manager.
    bool feeds_after(std::chrono::milliseconds passed) {
        now += passed;
        const int before = fed;
        const auto due = std::move(look);
        due();
        return fed > before;
    }
};

}  // namespace

TEST_CASE("the first ping comes at once and then one each second") {
    Scene scene;
    CHECK(scene.fed == 1);
    CHECK(scene.pause == 1s);
    CHECK(scene.feeds_after(1s));
    CHECK(scene.feeds_after(1s));
}

TEST_CASE("a short watchdog time gets four pings within it") {
    const Scene scene(400ms);
    CHECK(scene.pause == 100ms);
}

TEST_CASE("a step longer than half the watchdog time stops the pings until it ends") {
    Scene scene;
    scene.step_began = scene.now;
    CHECK(scene.feeds_after(10s));
    CHECK(!scene.feeds_after(1s));
    CHECK(!scene.feeds_after(1h));
    scene.step_began.reset();
    CHECK(scene.feeds_after(1s));
}

TEST_CASE("a step that waits for the network gets that extra time") {
    Scene scene(20s, 35s);
    scene.step_began = scene.now;
    CHECK(scene.feeds_after(45s));
    CHECK(!scene.feeds_after(1s));
}

TEST_CASE("a step is marked as running while any thread is inside") {
    StepMark mark;
    CHECK(!mark.since());
    {
        const StepMark::Stay first(mark);
        const auto since = mark.since();
        REQUIRE(since);
        {
            const StepMark::Stay second(mark);
            CHECK(mark.since() == since);
        }
        // One thread has left, so the step makes progress; the other one has its full time from
        // then on.
        CHECK(*mark.since() >= *since);
    }
    CHECK(!mark.since());
}
