#include <doctest/doctest.h>

#include <fstream>

#include "tests/integration/mqtt/harness.h"

using namespace a2h;
using namespace a2h::mqtt::test;
using a2h::test::Broker;
using a2h::test::eventually;
using a2h::test::PacketProxy;
using a2h::test::PacketType;
using a2h::test::TempDir;
using Codes = std::vector<std::string>;

namespace {

bool from_broker(const a2h::test::Packet& packet, PacketType type) {
    return !packet.from_client && packet.type == type;
}

}  // namespace

TEST_CASE("a publish succeeds after the broker's PUBACK and not before") {
    const int version = version_under_test();
    const TempDir dir;
    Broker broker(dir.path());
    PacketProxy proxy(broker.port());
    Client agent(quick_options(proxy.uri(), "sender", version));
    agent.start();
    REQUIRE(agent.wait_connected());
    proxy.hold([](const auto& packet) { return from_broker(packet, PacketType::Puback); });
    Answers answers;
    agent.connection().publish("somewhere", "hello", answers.expect());
    REQUIRE(eventually([&] { return proxy.held() == 1; }));
    CHECK(answers.count() == 0);
    proxy.release();
    REQUIRE(answers.wait(1));
    CHECK(answers.codes() == Codes{"ok"});
}

TEST_CASE("a lost connection answers every publish in flight once with Unavailable") {
    const int version = version_under_test();
    const TempDir dir;
    Broker broker(dir.path());
    PacketProxy proxy(broker.port());
    Client agent(quick_options(proxy.uri(), "sender", version));
    agent.start();
    REQUIRE(agent.wait_connected());
    proxy.hold([](const auto& packet) { return from_broker(packet, PacketType::Puback); });
    Answers answers;
    constexpr std::size_t kMessages = 600;  // more than may be in flight at once
    for (std::size_t i = 0; i < kMessages; ++i)
        agent.connection().publish("somewhere", "hello", answers.expect());
    REQUIRE(eventually([&] { return proxy.count(true, PacketType::Publish) >= 20; }));
    proxy.cut();
    proxy.release();
    REQUIRE(answers.wait(kMessages));
    REQUIRE(eventually([&] { return agent.connection().state().connects == 2; }));

    Answers after;
    agent.connection().publish("somewhere", "again", after.expect());
    REQUIRE(after.wait(1));
    CHECK(after.codes() == Codes{"ok"});
    CHECK(answers.codes() == Codes(kMessages, "unavailable"));
}

TEST_CASE("a publish that is not acknowledged in time is Timeout, and a late PUBACK is ignored") {
    const int version = version_under_test();
    const TempDir dir;
    Broker broker(dir.path());
    PacketProxy proxy(broker.port());
    auto options = quick_options(proxy.uri(), "sender", version);
    options.publish_timeout = std::chrono::milliseconds(100);
    Client agent(options);
    agent.start();
    REQUIRE(agent.wait_connected());
    proxy.hold([](const auto& packet) { return from_broker(packet, PacketType::Puback); });
    Answers answers;
    agent.connection().publish("somewhere", "slow", answers.expect());
    REQUIRE(answers.wait(1));
    proxy.release();
    REQUIRE(eventually([&] { return proxy.count(false, PacketType::Puback) == 1; }));
    agent.connection().publish("somewhere", "quick", answers.expect());
    REQUIRE(answers.wait(2));
    CHECK(answers.codes() == Codes{"timeout", "ok"});
}

TEST_CASE("publishing without a broker is Unavailable") {
    // The port of a broker that has stopped could be another test's by now.
    Client agent(quick_options("mqtt://127.0.0.1:1", "sender", 4));
    agent.start();
    Answers answers;
    for (int i = 0; i < 3; ++i)
        agent.connection().publish("somewhere", "hello", answers.expect());
    REQUIRE(answers.wait(3));
    CHECK(answers.codes() == Codes(3, "unavailable"));
}

TEST_CASE("the queue of publishes is bounded, and its end answers what still waits") {
    Answers answers;
    constexpr std::size_t kMax = mqtt::Connection::kPublishQueueMax;
    {
        Client agent(quick_options("mqtt://127.0.0.1:1", "sender", 4));  // never started
        for (std::size_t i = 0; i < kMax + 1; ++i)
            agent.connection().publish("somewhere", "hello", answers.expect());
        CHECK(answers.codes() == Codes{"resource_exhausted"});
    }
    CHECK(answers.count() == kMax + 1);
    CHECK(answers.codes().back() == "unavailable");
}

TEST_CASE("MQTT 5: a publish that the broker refuses is PermissionDenied") {
    const TempDir dir;
    const auto acl = dir.path() / "acl";
    std::ofstream(acl) << "topic readwrite allowed/#\n";
    Broker broker(dir.path(), "acl_file " + acl.string() + "\n");
    Client agent(quick_options(broker.uri(), "sender", 5));
    agent.start();
    REQUIRE(agent.wait_connected());
    Answers answers;
    agent.connection().publish("forbidden", "hello", answers.expect());
    REQUIRE(answers.wait(1));
    CHECK(answers.codes() == Codes{"permission_denied"});
}

TEST_CASE("publishing goes on while messages arrive, both ways, without loss") {
    const int version = version_under_test();
    const TempDir dir;
    Broker broker(dir.path(), "autosave_on_changes false\n");  // else the disk sets the pace
    Client agent(quick_options(broker.uri(), "mirror", version));
    agent.start();
    REQUIRE(agent.wait_connected());
    Answers answers;
    constexpr std::size_t kMessages = 2000;
    for (std::size_t i = 0; i < kMessages; ++i) {
        agent.connection().publish(mqtt::receive_topic("mirror"), std::to_string(i),
                                   answers.expect());
    }
    REQUIRE(answers.wait(kMessages));
    REQUIRE(agent.wait_received(kMessages));
    std::vector<std::string> expected;
    for (std::size_t i = 0; i < kMessages; ++i)
        expected.push_back(std::to_string(i));
    CHECK(agent.received() == expected);
    CHECK(answers.codes() == Codes(kMessages, "ok"));
}

TEST_CASE("a done that throws ends nothing") {
    const TempDir dir;
    Broker broker(dir.path());
    Client agent(quick_options(broker.uri(), "sender", 4));
    agent.start();
    REQUIRE(agent.wait_connected());
    agent.connection().publish("somewhere", "x",
                               [](const Result<void>&) { throw std::runtime_error("a bug"); });
    Answers answers;
    agent.connection().publish("somewhere", "y", answers.expect());
    CHECK(answers.wait(1));
}
