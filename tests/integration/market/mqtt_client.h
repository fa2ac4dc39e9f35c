#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "core/platform/client.h"

namespace a2h::test {

/// A bare MQTT 3.1.1 client that sends whatever a test wants, also packets that our own adapter
/// would never send.
class MqttClient {
  public:
    MqttClient(const std::string& url, const std::string& client_id, bool clean_session = false);
    ~MqttClient();

    /// The reason code of a refusal, 0 when connected, -1 when there was no answer.
    int connect(const std::string& username, const std::string& password);
    int connect(const platform::BrokerToken& token) {
        return connect(token.username, token.password);
    }
    /// False when the broker refuses.
    bool subscribe(const std::string& topic);
    /// True when the broker took the message; 3.1.1 brokers acknowledge what they refuse too.
    bool publish(const std::string& topic, const std::string& payload, bool retained = false);
    /// Publishes `count` messages whose payloads are their numbers from `first` on.
    bool publish_numbers(const std::string& topic, int first, int count);

    /// Payload of the next message; nullopt after `patience`.
    std::optional<std::string> receive(
        std::chrono::milliseconds patience = std::chrono::seconds(10));
    bool connected() const;
    void disconnect();

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace a2h::test
