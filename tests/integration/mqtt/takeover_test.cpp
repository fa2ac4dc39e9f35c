#include <doctest/doctest.h>

#include <thread>

#include "tests/integration/mqtt/harness.h"
#include "tests/support/raw_mqtt.h"

using namespace a2h;
using namespace a2h::mqtt::test;
using namespace std::chrono_literals;
using a2h::test::Broker;
using a2h::test::eventually;
using a2h::test::RawMqtt;
using a2h::test::TempDir;

namespace {

/// Another program with the same client id that reconnects whenever it is disconnected.
class Twin {
  public:
    Twin(std::uint16_t port, std::string client_id)
        : thread_([this, port, client_id = std::move(client_id)] {
              while (!stop_) {
                  RawMqtt client(port, {.client_id = client_id});
                  while (!stop_ && client.connected() && client.alive())
                      client.read(20ms);
              }
          }) {}
    ~Twin() {
        stop_ = true;
        thread_.join();
    }

  private:
    std::atomic<bool> stop_ = false;
    std::thread thread_;
};

}  // namespace

TEST_CASE("two clients that take over one client id are noticed, and ours gives way") {
    const int version = version_under_test();
    const TempDir dir;
    Broker broker(dir.path());
    const auto options = quick_options(broker.uri(), "twin", version);
    Client agent(options);
    agent.start();
    REQUIRE(agent.wait_connected());
    const Twin twin(broker.port(), options.client_id);
    REQUIRE(eventually([&] { return agent.connection().state().taken_over; }, 90s));
    // Five minutes from here: the delay that makes this test end while the twin still lives.
    CHECK_FALSE(agent.connection().state().connected);
    CHECK(eventually([&] { return agent.states().back().taken_over; }));
}

TEST_CASE("a takeover is forgotten once our connection has held for the window") {
    const int version = version_under_test();
    const TempDir dir;
    Broker broker(dir.path());
    auto options = quick_options(broker.uri(), "twin", version);
    options.reconnect.takeover_reconnects = 1;
    options.reconnect.takeover_window = 2000ms;
    options.reconnect.takeover_delay = 50ms;
    Client agent(options);
    agent.start();
    REQUIRE(agent.wait_connected());
    {
        const Twin twin(broker.port(), options.client_id);
        REQUIRE(eventually([&] { return agent.connection().state().taken_over; }, 60s));
    }
    REQUIRE(eventually([&] { return !agent.connection().state().taken_over; }, 60s));
    CHECK(agent.connection().state().connected);
    CHECK(eventually([&] { return !agent.states().back().taken_over; }));
}
