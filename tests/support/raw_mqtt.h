#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tests/support/packet_proxy.h"

namespace a2h::test {

/// A small MQTT client on a blocking loopback socket with TCP_NODELAY, as the counterpart of
/// the program under test. It uses little CPU and shares no lock with Paho. Thread: one.
class RawMqtt {
  public:
    struct Login {
        std::string client_id;
        std::string username = {};
        std::string password = {};
        /// Speaks MQTT 5, and lets each of its messages expire after so many seconds; 0: speaks
        /// MQTT 3.1.1.
        std::uint32_t expiry = 0;
    };
    /// Connects with a clean session; `connected` is true if the broker accepted.
    RawMqtt(std::uint16_t port, const Login& login);
    ~RawMqtt();
    RawMqtt(const RawMqtt&) = delete;
    RawMqtt& operator=(const RawMqtt&) = delete;

    bool connected() const { return connected_; }
    /// False once the broker has closed the connection.
    bool alive() const { return alive_; }

    /// QoS 1; false when the broker refused.
    bool subscribe(std::string_view topic);

    /// Queues one QoS 1 message; `flush` or `read` sends it. Returns its packet id.
    std::uint16_t publish(std::string_view topic, std::string_view payload);
    void flush();

    struct Event {
        PacketType type = PacketType::Publish;  ///< Publish or Puback
        std::uint16_t packet_id = 0;
        std::string topic;
        std::string payload;
    };
    /// The next PUBLISH (acknowledged already) or PUBACK; nullopt after `timeout` or when the
    /// broker has closed the connection.
    std::optional<Event> read(std::chrono::milliseconds timeout);

    /// Publishes and waits for the PUBACK, skipping other events; false after 10 s.
    bool publish_and_wait(std::string_view topic, std::string_view payload);

  private:
    std::optional<std::string> next_packet(std::chrono::milliseconds timeout);
    std::optional<std::string> wait_for(PacketType type);

    int fd_ = -1;
    std::uint32_t expiry_ = 0;
    bool connected_ = false;
    bool alive_ = true;
    std::uint16_t last_id_ = 0;
    std::string out_;
    std::string in_;
    std::size_t used_ = 0;
};

}  // namespace a2h::test
