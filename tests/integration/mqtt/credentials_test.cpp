#include <doctest/doctest.h>

#include "tests/integration/mqtt/harness.h"

using namespace a2h;
using namespace a2h::mqtt::test;
using a2h::test::Broker;
using a2h::test::eventually;
using a2h::test::TempDir;

namespace {

constexpr UnixMs kMinute = 60'000;

/// A broker that knows one user, "agent" with password "right".
struct World {
    World() {
        const auto file = dir.path() / "passwords";
        REQUIRE(a2h::test::run({"mosquitto_passwd", "-b", "-c", file.string(), "agent", "right"})
                    .status == 0);
        broker = std::make_unique<Broker>(
            dir.path(), "allow_anonymous false\npassword_file " + file.string() + "\n");
    }
    TempDir dir;
    std::unique_ptr<Broker> broker;
};

UnixMs in(UnixMs duration_ms) {
    return SystemClock().now_ms() + duration_ms;
}

}  // namespace

TEST_CASE("refused credentials are asked for again until the broker takes them") {
    int version = 4;
    SUBCASE("MQTT 3.1.1") {
        version = 4;
    }
    SUBCASE("MQTT 5") {
        version = 5;
    }
    World world;
    std::atomic<int> asked = 0;
    Client agent(quick_options(world.broker->uri(), "known", version));
    agent.credentials = [&]() -> Result<mqtt::Credentials> {
        return mqtt::Credentials{"agent", asked++ == 0 ? "wrong" : "right", in(120 * kMinute)};
    };
    agent.start();
    REQUIRE(agent.wait_connected());
    CHECK(asked == 2);
    CHECK_FALSE(agent.states().front().last_error.empty());
}

TEST_CASE("credentials are kept over reconnects until 30 minutes before they expire") {
    World world;
    std::atomic<int> asked = 0;
    UnixMs life = 0;
    int expected = 0;
    SUBCASE("two hours left: kept") {
        life = 120 * kMinute;
        expected = 1;
    }
    SUBCASE("29 minutes left: renewed at the next connect, and not before") {
        life = 29 * kMinute;
        expected = 2;
    }
    Client agent(quick_options(world.broker->uri(), "known", 4));
    agent.credentials = [&]() -> Result<mqtt::Credentials> {
        ++asked;
        return mqtt::Credentials{"agent", "right", in(life)};
    };
    agent.start();
    REQUIRE(agent.wait_connected());
    CHECK(asked == 1);
    world.broker->stop();
    REQUIRE(eventually([&] { return !agent.connection().state().connected; }));
    world.broker->start();
    REQUIRE(eventually([&] { return agent.connection().state().connects == 2; }));
    CHECK(asked >= expected);
    if (expected == 1) CHECK(asked == 1);
}

TEST_CASE("credentials that cannot be renewed are used until the broker refuses them") {
    World world;
    UnixMs life = 0;
    SUBCASE("valid") {
        life = 10 * kMinute;
    }
    SUBCASE("expired according to a clock that was set forward") {
        life = -10 * kMinute;
    }
    std::atomic<int> asked = 0;
    Client agent(quick_options(world.broker->uri(), "known", 4));
    agent.credentials = [&]() -> Result<mqtt::Credentials> {
        if (asked++ > 0) return fail(ErrorCode::Unavailable, "the market is down");
        return mqtt::Credentials{"agent", "right", in(life)};
    };
    agent.start();
    REQUIRE(agent.wait_connected());
    world.broker->stop();
    REQUIRE(eventually([&] { return !agent.connection().state().connected; }));
    world.broker->start();
    REQUIRE(eventually([&] { return agent.connection().state().connects == 2; }));
    CHECK(asked >= 2);
}

TEST_CASE("without credentials the state says why") {
    World world;
    Client agent(quick_options(world.broker->uri(), "known", 4));
    agent.credentials = []() -> Result<mqtt::Credentials> {
        return fail(ErrorCode::Unavailable, "the market is down");
    };
    agent.start();
    REQUIRE(eventually([&] { return !agent.connection().state().last_error.empty(); }));
    CHECK(agent.connection().state().last_error.find("the market is down") != std::string::npos);
}
