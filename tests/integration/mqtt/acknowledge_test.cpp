#include <doctest/doctest.h>

#include "tests/integration/mqtt/harness.h"

using namespace a2h;
using namespace a2h::mqtt::test;
using a2h::test::Broker;
using a2h::test::eventually;
using a2h::test::PacketProxy;
using a2h::test::PacketType;
using a2h::test::TempDir;

namespace {

/// A broker, a proxy before it, and an agent behind the proxy.
struct World {
    explicit World(int version)
        : broker(dir.path()),
          proxy(broker.port()),
          agent(quick_options(proxy.uri(), "receiver", version)) {}

    void connect() {
        agent.start();
        REQUIRE(agent.wait_connected());
    }
    void send(const std::vector<std::string>& payloads) {
        send_to(broker.port(), "receiver", payloads);
    }

    TempDir dir;
    Broker broker;
    PacketProxy proxy;
    Client agent;
};

}  // namespace

TEST_CASE("no PUBACK leaves before the message is stored") {
    World world(version_under_test());
    std::atomic<bool> acknowledged_early = false;
    std::atomic<bool> second_arrived = false;
    world.agent.store = [&](std::string_view payload) -> Result<void> {
        if (payload == "first") {
            // The second message has passed the proxy, so enough time has passed.
            second_arrived =
                eventually([&] { return world.proxy.count(false, PacketType::Publish) == 2; });
            acknowledged_early = world.proxy.count(true, PacketType::Puback) != 0;
        }
        return {};
    };
    world.connect();
    world.send({"first", "second"});
    REQUIRE(world.agent.wait_received(2));
    CHECK(second_arrived);
    CHECK_FALSE(acknowledged_early);
    CHECK(eventually([&] { return world.proxy.count(true, PacketType::Puback) == 2; }));
}

TEST_CASE("a message that could not be stored is not acknowledged and comes again with DUP") {
    World world(version_under_test());
    std::atomic<int> failures = 0;
    world.agent.store = [&](std::string_view) -> Result<void> {
        if (failures++ == 0) return fail(ErrorCode::ResourceExhausted, "disk full");
        return {};
    };
    world.connect();
    world.send({"precious"});
    REQUIRE(world.agent.wait_received(1));
    REQUIRE(eventually([&] { return world.proxy.count(true, PacketType::Puback) == 1; }));

    bool again_with_dup = false;
    for (const auto& packet : world.proxy.log()) {
        if (packet.type == PacketType::Puback) CHECK(packet.connection == 1);
        if (packet.type == PacketType::Publish && packet.connection == 1) {
            again_with_dup = packet.duplicate;
        }
    }
    CHECK(again_with_dup);
    CHECK(world.agent.received() == std::vector<std::string>{"precious"});
    CHECK(world.agent.connection().state().session_lost == 0);
}

TEST_CASE("messages behind one that could not be stored come again in order") {
    World world(version_under_test());
    std::atomic<int> calls = 0;
    world.agent.store = [&](std::string_view payload) -> Result<void> {
        if (payload == "1" && calls++ < 3) return fail(ErrorCode::Timeout, "database locked");
        return {};
    };
    world.connect();
    world.send({"1", "2", "3", "4", "5"});
    REQUIRE(world.agent.wait_received(5));
    CHECK(world.agent.received() == std::vector<std::string>{"1", "2", "3", "4", "5"});
}

TEST_CASE("an exception from the store counts as not stored and ends nothing") {
    World world(version_under_test());
    std::atomic<int> calls = 0;
    world.agent.store = [&](std::string_view) -> Result<void> {
        if (calls++ == 0) throw std::runtime_error("a bug");
        if (calls++ == 2) throw 42;
        return {};
    };
    world.connect();
    world.send({"precious"});
    REQUIRE(world.agent.wait_received(1));
    CHECK(world.agent.received() == std::vector<std::string>{"precious"});
}

TEST_CASE("the connection cut in the middle of storing brings the message again") {
    World world(version_under_test());
    std::atomic<int> calls = 0;
    world.agent.store = [&](std::string_view) -> Result<void> {
        if (calls++ == 0) world.proxy.cut();
        return {};
    };
    world.connect();
    world.send({"precious"});
    REQUIRE(world.agent.wait_received(2));
    CHECK(world.agent.received() == std::vector<std::string>{"precious", "precious"});
}

TEST_CASE("an empty message and one of 64 KiB arrive whole") {
    World world(version_under_test());
    world.connect();
    const std::string large(64 * 1024, 'x');
    world.send({"", large});
    REQUIRE(world.agent.wait_received(2));
    CHECK(world.agent.received() == std::vector<std::string>{"", large});
    CHECK(world.agent.connection().state().last_received_ms > 0);
}
