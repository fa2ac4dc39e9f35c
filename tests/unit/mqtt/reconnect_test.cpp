#include "core/mqtt/reconnect.h"

#include <doctest/doctest.h>

#include <vector>

using namespace a2h::mqtt;
using namespace std::chrono_literals;
using std::chrono::milliseconds;

namespace {

constexpr double kNoJitter = 0.5;

struct Bench {
    /// One accepted connection that ends after `lifetime`, and the wait that follows.
    milliseconds live(milliseconds lifetime, Loss loss) {
        schedule.connected(now);
        now += lifetime;
        return wait(loss);
    }
    milliseconds wait(Loss loss) {
        const auto delay = schedule.lost(loss, now, kNoJitter);
        now += delay;
        return delay;
    }

    ReconnectSchedule schedule{ReconnectOptions{}};
    ReconnectSchedule::TimePoint now{};
};

}  // namespace

TEST_CASE("failed attempts wait 1, 2, 4, 8, 16 and then always 30 seconds") {
    Bench bench;
    std::vector<milliseconds> delays;
    for (int i = 0; i < 7; ++i)
        delays.push_back(bench.wait(Loss::ConnectFailed));
    CHECK(delays == std::vector<milliseconds>{1s, 2s, 4s, 8s, 16s, 30s, 30s});
}

TEST_CASE("each delay is changed by up to a fifth, up or down") {
    ReconnectSchedule low{ReconnectOptions{}};
    ReconnectSchedule high{ReconnectOptions{}};
    CHECK(low.lost(Loss::ConnectFailed, {}, 0.0) == 800ms);
    const auto longest = high.lost(Loss::ConnectFailed, {}, 0.999999);
    CHECK(longest >= 1199ms);
    CHECK(longest <= 1200ms);
}

TEST_CASE("a refusal by the broker waits as long as a broker that cannot be reached") {
    Bench bench;
    CHECK(bench.wait(Loss::Refused) == 1s);
    CHECK(bench.wait(Loss::Refused) == 2s);
}

TEST_CASE("an accepted connection starts the delays again") {
    Bench bench;
    bench.wait(Loss::ConnectFailed);
    bench.wait(Loss::ConnectFailed);
    CHECK(bench.live(1h, Loss::Closed) == 1s);
    CHECK(bench.wait(Loss::ConnectFailed) == 2s);
}

TEST_CASE("while messages cannot be stored the delays grow although each connect succeeds") {
    Bench bench;
    CHECK(bench.live(5ms, Loss::NotStored) == 1s);
    CHECK(bench.live(5ms, Loss::NotStored) == 2s);
    CHECK(bench.live(5ms, Loss::NotStored) == 4s);
    CHECK_FALSE(bench.schedule.taken_over());
}

TEST_CASE("five reconnects within a minute that were taken over stop the fight") {
    Bench bench;
    for (int i = 0; i < 5; ++i) {
        CHECK(bench.live(1s, Loss::TakenOver) == 1s);
        CHECK_FALSE(bench.schedule.taken_over());
    }
    CHECK(bench.live(1s, Loss::TakenOver) == 5min);
    CHECK(bench.schedule.taken_over());
}

TEST_CASE("short connections that the other side closes are a takeover, too") {
    Bench bench;
    for (int i = 0; i < 5; ++i)
        bench.live(2s, Loss::Closed);
    CHECK(bench.live(2s, Loss::Closed) == 5min);
    CHECK(bench.schedule.taken_over());
}

TEST_CASE("a connection that ends with a message of ours unanswered is no takeover") {
    Bench bench;
    for (int i = 0; i < 20; ++i)
        CHECK(bench.live(1s, Loss::Rejected) == 1s);
    CHECK_FALSE(bench.schedule.taken_over());
}

TEST_CASE("a broker that refuses connections in between is only restarting") {
    Bench bench;
    for (int i = 0; i < 10; ++i) {
        bench.live(2s, Loss::Closed);
        bench.wait(Loss::ConnectFailed);
    }
    CHECK_FALSE(bench.schedule.taken_over());
}

TEST_CASE("connections that lived long are no takeover") {
    Bench bench;
    for (int i = 0; i < 10; ++i)
        bench.live(11s, Loss::Closed);
    CHECK_FALSE(bench.schedule.taken_over());
}

TEST_CASE("takeovers that are spread over more than a minute do not count together") {
    Bench bench;
    for (int i = 0; i < 10; ++i)
        CHECK(bench.live(20s, Loss::TakenOver) == 1s);
    CHECK_FALSE(bench.schedule.taken_over());
}

TEST_CASE("the takeover is over when a connection has held for the whole window") {
    Bench bench;
    for (int i = 0; i < 6; ++i)
        bench.live(1s, Loss::TakenOver);
    REQUIRE(bench.schedule.taken_over());
    CHECK_FALSE(bench.schedule.settles_at().has_value());

    bench.schedule.connected(bench.now);
    REQUIRE(bench.schedule.settles_at() == bench.now + 60s);
    bench.schedule.settle(bench.now + 59s);
    CHECK(bench.schedule.taken_over());
    bench.schedule.settle(bench.now + 60s);
    CHECK_FALSE(bench.schedule.taken_over());
    CHECK(bench.wait(Loss::Closed) == 1s);
}

TEST_CASE("a takeover that goes on keeps the five minutes") {
    Bench bench;
    for (int i = 0; i < 6; ++i)
        bench.live(1s, Loss::TakenOver);
    CHECK(bench.live(1s, Loss::TakenOver) == 5min);
    CHECK(bench.wait(Loss::ConnectFailed) == 5min);
    CHECK(bench.schedule.taken_over());
}
