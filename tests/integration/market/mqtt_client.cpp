#include "tests/integration/market/mqtt_client.h"

#include <mqtt/async_client.h>

#include <deque>

#include "tests/support/process.h"

namespace a2h::test {
namespace {

constexpr auto kPatience = kSlowdown * std::chrono::seconds(10);
constexpr std::size_t kInFlightMax = 100;

}  // namespace

struct MqttClient::Impl {
    mqtt::async_client client;
    bool clean_session;

    Impl(const std::string& url, const std::string& client_id, bool clean)
        : client("tcp" + url.substr(url.find("://")), client_id, mqtt::create_options(4), nullptr),
          clean_session(clean) {
        client.start_consuming();
    }
};

MqttClient::MqttClient(const std::string& url, const std::string& client_id, bool clean_session)
    : impl_(std::make_unique<Impl>(url, client_id, clean_session)) {}

MqttClient::~MqttClient() {
    disconnect();
}

int MqttClient::connect(const std::string& username, const std::string& password) {
    mqtt::connect_options options(username, password);
    options.set_clean_session(impl_->clean_session);
    options.set_connect_timeout(kPatience);
    options.set_max_inflight(1000);
    options.set_mqtt_version(4);  // else Paho tries 3.1 when 3.1.1 is refused
    const auto token = impl_->client.connect(options);
    try {
        return token->wait_for(kPatience) ? 0 : -1;
    } catch (const mqtt::exception& e) {
        return token->get_return_code() > 0 ? token->get_return_code() : e.get_return_code();
    }
}

bool MqttClient::subscribe(const std::string& topic) {
    try {
        const auto token = impl_->client.subscribe(topic, 1);
        if (!token->wait_for(kPatience)) return false;
        const auto codes = token->get_subscribe_response().get_reason_codes();
        return !codes.empty() && codes.front() <= mqtt::GRANTED_QOS_2;
    } catch (const mqtt::exception&) {
        return false;
    }
}

bool MqttClient::publish(const std::string& topic, const std::string& payload, bool retained) {
    try {
        return impl_->client.publish(topic, payload, 1, retained)->wait_for(kPatience);
    } catch (const mqtt::exception&) {
        return false;
    }
}

bool MqttClient::publish_numbers(const std::string& topic, int first, int count) {
    std::deque<mqtt::delivery_token_ptr> in_flight;
    try {
        for (int i = first; i < first + count; ++i) {
            in_flight.push_back(impl_->client.publish(topic, std::to_string(i), 1, false));
            if (in_flight.size() < kInFlightMax) continue;
            if (!in_flight.front()->wait_for(kPatience)) return false;
            in_flight.pop_front();
        }
        for (const auto& token : in_flight) {
            if (!token->wait_for(kPatience)) return false;
        }
    } catch (const mqtt::exception&) {
        return false;
    }
    return true;
}

std::optional<std::string> MqttClient::receive(std::chrono::milliseconds patience) {
    mqtt::const_message_ptr message;
    // A null message says that the connection was lost.
    if (!impl_->client.try_consume_message_for(&message, patience) || !message) return std::nullopt;
    return message->to_string();
}

bool MqttClient::connected() const {
    return impl_->client.is_connected();
}

void MqttClient::disconnect() {
    try {
        if (impl_->client.is_connected()) impl_->client.disconnect()->wait_for(kPatience);
    } catch (const mqtt::exception&) {
        // It is gone, and that is what was wanted.
    }
}

}  // namespace a2h::test
