#include <dirent.h>
#include <doctest/doctest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <chrono>
#include <cstdlib>
#include <thread>

#include "tests/integration/mqtt/harness.h"

using namespace a2h;
using namespace a2h::mqtt::test;
using a2h::test::Broker;
using a2h::test::eventually;
using a2h::test::PacketProxy;
using a2h::test::PacketType;
using a2h::test::TempDir;

namespace {

/// TCP_NODELAY of each socket of this process that leads to `port`.
std::vector<bool> no_delay_of_sockets_to(std::uint16_t port) {
    std::vector<bool> found;
    DIR* const folder = ::opendir("/proc/self/fd");
    REQUIRE(folder != nullptr);
    while (const dirent* entry = ::readdir(folder)) {
        const int fd = std::atoi(entry->d_name);
        sockaddr_in peer{};
        socklen_t length = sizeof peer;
        if (::getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &length) != 0) continue;
        if (peer.sin_family != AF_INET || ntohs(peer.sin_port) != port) continue;
        int on = 0;
        length = sizeof on;
        REQUIRE(::getsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, &length) == 0);
        found.push_back(on != 0);
    }
    ::closedir(folder);
    return found;
}

}  // namespace

TEST_CASE("an agent started before its broker connects as soon as the broker is there") {
    const int version = version_under_test();
    const TempDir dir;
    Broker broker(dir.path());
    broker.stop();
    Client agent(quick_options(broker.uri(), "early", version));
    agent.start();
    REQUIRE(eventually([&] { return !agent.connection().state().last_error.empty(); }));
    CHECK_FALSE(agent.connection().state().connected);
    broker.start();
    REQUIRE(agent.wait_connected());
    const auto state = agent.connection().state();
    CHECK(state.last_error.empty());
    CHECK(state.connects == 1);
    CHECK(state.connected_since_ms > 0);
}

TEST_CASE("messages sent while the agent was away arrive in order when it comes back") {
    const int version = version_under_test();
    const TempDir dir;
    Broker broker(dir.path());
    {
        Client agent(quick_options(broker.uri(), "away", version));
        agent.start();
        REQUIRE(agent.wait_connected());
    }
    std::vector<std::string> payloads;
    for (int i = 0; i < 300; ++i)
        payloads.push_back(std::to_string(i));
    send_to(broker.port(), "away", payloads);
    Client agent(quick_options(broker.uri(), "away", version));
    agent.start();
    REQUIRE(agent.wait_received(payloads.size()));
    CHECK(agent.received() == payloads);
}

TEST_CASE("mail that arrives before the broker's answer is not counted as silence") {
    const int version = version_under_test();
    const TempDir dir;
    Broker broker(dir.path());  // sends everything ahead, and the SUBACK last
    auto options = quick_options(broker.uri(), "swamped", version);
    {
        Client agent(options);
        agent.start();
        REQUIRE(agent.wait_connected());
    }
    send_to(broker.port(), "swamped", std::vector<std::string>(300, "mail"));
    options.connect_timeout = std::chrono::seconds(1);
    Client agent(options);
    agent.store = [](std::string_view) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        return Result<void>();
    };
    agent.start();
    REQUIRE(agent.wait_received(300));
    REQUIRE(agent.wait_connected());
    CHECK(agent.received().size() == 300);
    for (const auto& state : agent.states())
        CHECK(state.last_error == "");
    CHECK(agent.connection().state().connects == 1);
}

TEST_CASE("a broker restart and a killed broker lose neither session nor mail") {
    int version = 4;
    bool politely = true;
    SUBCASE("MQTT 3.1.1, SIGTERM") {
        version = 4;
    }
    SUBCASE("MQTT 3.1.1, SIGKILL") {
        politely = false;
    }
    SUBCASE("MQTT 5, SIGTERM") {
        version = 5;
    }
    SUBCASE("MQTT 5, SIGKILL") {
        version = 5;
        politely = false;
    }
    const TempDir dir;
    Broker broker(dir.path());
    Client agent(quick_options(broker.uri(), "steady", version));
    agent.start();
    REQUIRE(agent.wait_connected());
    if (politely) {
        broker.stop();
    } else {
        broker.kill();
    }
    REQUIRE(eventually([&] { return !agent.connection().state().connected; }));
    broker.start();
    REQUIRE(eventually([&] { return agent.connection().state().connects == 2; }));
    send_to(broker.port(), "steady", {"after"});
    REQUIRE(agent.wait_received(1));
    CHECK(agent.connection().state().session_lost == 0);
    CHECK_FALSE(agent.connection().state().taken_over);
}

TEST_CASE("a session that the broker has lost is counted and reported") {
    const int version = version_under_test();
    const TempDir dir;
    const TempDir other_dir;
    Broker broker(dir.path());
    Client agent(quick_options(broker.uri(), "forgotten", version));
    agent.start();
    REQUIRE(agent.wait_connected());
    CHECK(agent.connection().state().session_lost == 0);
    broker.kill();
    std::filesystem::remove(dir.path() / "mosquitto.db");
    broker.start();
    REQUIRE(eventually([&] { return agent.connection().state().connects == 2; }));
    CHECK(eventually([&] {
        const auto states = agent.states();
        return !states.empty() && states.back().session_lost == 1 && states.back().connected;
    }));
}

TEST_CASE("a session that was lost before this process connected is counted, too") {
    const int version = version_under_test();
    const TempDir dir;
    Broker broker(dir.path());
    mqtt::Options options = quick_options(broker.uri(), "remembered", version);
    options.had_session = true;
    Client first(options);
    first.start();
    REQUIRE(first.wait_connected());
    CHECK(first.connection().state().session_lost == 1);
    first.stop();
    Client second(options);
    second.start();
    REQUIRE(second.wait_connected());
    CHECK(second.connection().state().session_lost == 0);
}

TEST_CASE("every change of the connection is reported once, in order") {
    const int version = version_under_test();
    const TempDir dir;
    Broker broker(dir.path());
    PacketProxy proxy(broker.port());
    Client agent(quick_options(proxy.uri(), "observed", version));
    agent.start();
    REQUIRE(agent.wait_connected());
    proxy.cut();
    REQUIRE(eventually([&] { return agent.states().size() == 3; }));
    const auto states = agent.states();
    CHECK(states[0].connected);
    CHECK_FALSE(states[1].connected);
    CHECK_FALSE(states[1].last_error.empty());
    CHECK(states[2].connected);
    CHECK(states[2].connects == 2);
}

TEST_CASE("TCP_NODELAY is set after the connect and after each reconnect") {
    const int version = version_under_test();
    const TempDir dir;
    Broker broker(dir.path());
    Client agent(quick_options(broker.uri(), "prompt", version));
    agent.start();
    REQUIRE(agent.wait_connected());
    CHECK(no_delay_of_sockets_to(broker.port()) == std::vector<bool>{true});
    broker.stop();
    broker.start();
    REQUIRE(eventually([&] { return agent.connection().state().connects == 2; }));
    CHECK(no_delay_of_sockets_to(broker.port()) == std::vector<bool>{true});
}

TEST_CASE("a broker that accepts and then says nothing is given up and tried again") {
    const int version = version_under_test();
    const TempDir dir;
    Broker broker(dir.path());
    PacketProxy proxy(broker.port());
    proxy.hold([](const auto& packet) { return packet.type == PacketType::Connack; });
    auto options = quick_options(proxy.uri(), "patient", version);
    options.connect_timeout = std::chrono::seconds(3);
    Client agent(options);
    agent.start();
    REQUIRE(eventually([&] { return !agent.connection().state().last_error.empty(); }));
    proxy.release();
    CHECK(agent.wait_connected());
}

TEST_CASE("fifty agents of one process connect, receive and end") {
    const TempDir dir;
    Broker broker(dir.path());
    std::vector<std::unique_ptr<Client>> agents;
    for (int i = 0; i < 50; ++i) {
        agents.push_back(std::make_unique<Client>(
            quick_options(broker.uri(), "one" + std::to_string(i), i % 2 == 0 ? 4 : 5)));
        agents.back()->start();
    }
    for (auto& agent : agents)
        REQUIRE(agent->wait_connected());
    for (int i = 0; i < 50; i += 7)
        send_to(broker.port(), "one" + std::to_string(i), {"hello"});
    for (std::size_t i = 0; i < 50; i += 7)
        CHECK(agents[i]->wait_received(1));
    broker.stop();
    broker.start();
    for (auto& agent : agents)
        REQUIRE(eventually([&] { return agent->connection().state().connects == 2; }));
}

TEST_CASE("an address that cannot be used is an error in the state, not the end of the process") {
    for (const char* uri :
         {"", "http://127.0.0.1:1", "mqtt://127.0.0.1:1", "mqtt://no-such-host.invalid"}) {
        CAPTURE(uri);
        Client agent(quick_options(uri, "lost", 4));
        agent.start();
        CHECK(eventually([&] { return !agent.connection().state().last_error.empty(); }));
    }
}

TEST_CASE("a connection that is renewed subscribes anew, whatever the old one still does") {
    const TempDir dir;
    Broker broker(dir.path());
    PacketProxy proxy(broker.port());
    Client agent(quick_options(proxy.uri(), "renewed", version_under_test()));
    agent.connection().renew("there is none yet");
    agent.start();
    REQUIRE(agent.wait_connected());
    proxy.hold([](const a2h::test::Packet& packet) { return packet.connection == 0; });
    agent.connection().renew("nothing arrives");
    REQUIRE(eventually([&] { return agent.connection().state().connects == 2; }));
    CHECK(proxy.count(true, PacketType::Subscribe) == 2);
    CHECK_FALSE(agent.connection().state().taken_over);
    send_to(broker.port(), "renewed", {"hello"});
    CHECK(agent.wait_received(1));
}
