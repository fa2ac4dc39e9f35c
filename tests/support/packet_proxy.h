#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace a2h::test {

/// MQTT control packet types, with their numbers in the fixed header.
enum class PacketType : std::uint8_t {
    Connect = 1,
    Connack,
    Publish,
    Puback,
    Pubrec,
    Pubrel,
    Pubcomp,
    Subscribe,
    Suback,
    Unsubscribe,
    Unsuback,
    Pingreq,
    Pingresp,
    Disconnect,
    Auth,
};
std::string to_string(PacketType type);

/// One whole MQTT packet that passed, in the order in which the proxy read them.
struct Packet {
    bool from_client = false;
    PacketType type = PacketType::Connect;
    bool duplicate = false;  ///< the DUP flag of a PUBLISH
    int connection = 0;      ///< 0 for the first accepted connection, then 1, ...
};

/// A TCP proxy between MQTT clients and a broker that reads the packets in both directions (plain
/// text only). It forwards a packet only when the whole of it has been read and logged, so a packet
/// that is not in the log has not reached the other side. Both sides have TCP_NODELAY.
///
/// Between HTTP clients and a server, which have no packets, each piece as it was read stands for
/// one; `repeat` means nothing there, because TCP itself repeats nothing that is read twice.
///
/// Thread: any; one thread of its own moves the bytes.
class PacketProxy {
  public:
    enum class Content { Mqtt, Http };

    explicit PacketProxy(std::uint16_t server_port, Content content = Content::Mqtt);
    ~PacketProxy();
    PacketProxy(const PacketProxy&) = delete;
    PacketProxy& operator=(const PacketProxy&) = delete;

    std::uint16_t port() const;
    std::string uri() const { return "mqtt://127.0.0.1:" + std::to_string(port()); }
    std::string url() const { return "http://127.0.0.1:" + std::to_string(port()); }

    std::vector<Packet> log() const;
    /// How many packets of `type` went from the client (or to it).
    std::size_t count(bool from_client, PacketType type) const;
    void clear_log();

    /// Packets for which `keep` is true stay in the proxy, with everything behind them in the same
    /// direction, until `release`. They are logged when they leave.
    void hold(std::function<bool(const Packet&)> keep);
    void release();
    /// How many packets are being held now.
    std::size_t held() const;
    /// Delays every packet by this from now on.
    void delay(std::chrono::milliseconds time);

    /// While true, packets are sent in pieces that end anywhere in a packet.
    void halve(bool on);
    /// While true, every PUBLISH at QoS 1 is sent twice, the second time with the DUP flag.
    void repeat(bool on);
    /// While true, a client gets the first half of each packet, and then its connection is closed.
    void break_off(bool on);
    /// Sends `packet` to the broker as if the client of this connection had; it is not logged.
    void say_as_client(int connection, std::string_view packet);

    /// Closes all connections, maybe in the middle of a packet; what was held is lost. New ones are
    /// accepted.
    void cut();
    /// Refuses (accepts and closes) new connections while true.
    void refuse(bool on);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace a2h::test
