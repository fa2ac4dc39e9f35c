#include "tests/integration/mqtt/harness.h"

#include <doctest/doctest.h>

#include "tests/support/raw_mqtt.h"

namespace a2h::mqtt::test {

using namespace std::chrono_literals;
using a2h::test::eventually;

int version_under_test() {
    int version = 4;
    SUBCASE("MQTT 3.1.1") {
        version = 4;
    }
    SUBCASE("MQTT 5") {
        version = 5;
    }
    return version;
}

Options quick_options(const std::string& uri, const std::string& agent, int version) {
    Options options;
    options.server_uri = uri;
    options.client_id = listener_client_id(agent);
    options.topic = receive_topic(agent);
    options.mqtt_version = version;
    options.reconnect.first_delay = 20ms;
    options.reconnect.delay_max = 200ms;
    return options;
}

Client::Client(Options options)
    : connection_(std::make_unique<Connection>(
          std::move(options), clock_, [this] { return credentials(); },
          [this](std::string_view, std::string_view payload) -> Result<void> {
              A2H_TRY(store(payload));
              received_.with([&](auto& all) { all.emplace_back(payload); });
              return {};
          },
          [this](const State& state) { states_.with([&](auto& all) { all.push_back(state); }); })) {
}

bool Client::wait_connected() {
    return eventually([this] { return connection_->state().connected; });
}

std::vector<std::string> Client::received() const {
    return received_.with([](const auto& all) { return all; });
}

bool Client::wait_received(std::size_t count) {
    return eventually([&] { return received().size() >= count; });
}

std::vector<State> Client::states() const {
    return states_.with([](const auto& all) { return all; });
}

std::function<void(Result<void>)> Answers::expect() {
    return [results = results_](Result<void> result) {
        results->with([&](auto& all) { all.push_back(std::move(result)); });
    };
}

bool Answers::wait(std::size_t expected) const {
    return eventually([&] { return count() >= expected; });
}

std::vector<std::string> Answers::codes() const {
    return results_->with([](const auto& all) {
        std::vector<std::string> names;
        for (const auto& result : all)
            names.emplace_back(result ? "ok" : to_string(result.error().code));
        return names;
    });
}

void send_to(std::uint16_t port, const std::string& agent,
             const std::vector<std::string>& payloads) {
    a2h::test::RawMqtt sender(port, {.client_id = "sender"});
    REQUIRE(sender.connected());
    for (const std::string& payload : payloads)
        REQUIRE(sender.publish_and_wait(receive_topic(agent), payload));
}

}  // namespace a2h::mqtt::test
