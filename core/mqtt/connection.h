#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/mqtt/reconnect.h"

namespace a2h::mqtt {

/// Broker credentials from the market's token endpoint.
struct Credentials {
    std::string username;
    std::string password;
    UnixMs expires_at_ms = 0;
};

struct Options {
    std::string server_uri;  ///< mqtt://host:port or mqtts://host:port
    std::string client_id;   ///< GID_agent@@@{agent}
    std::string topic;       ///< own receive topic, subscribed at QoS 1
    int mqtt_version = 4;    ///< 4 = 3.1.1, 5 = 5
    std::string ca_file;     ///< private CA, trusted beside the system's
    std::chrono::seconds keep_alive{60};
    std::chrono::seconds connect_timeout{15};
    std::chrono::hours session_expiry{24 * 3};  ///< MQTT 5 only
    std::chrono::milliseconds publish_timeout{20'000};
    ReconnectOptions reconnect;
    /// The broker had a session of this client when an earlier process was connected.
    bool had_session = false;
    /// Asked before each connect, publish and arrival; false: nothing of the kind happens now.
    /// Empty: always. Thread: any; must not block.
    std::function<bool()> may_act{};
};

/// What `status` tells. A snapshot; reading it never touches Paho.
struct State {
    bool connected = false;
    bool taken_over = false;  ///< another client keeps using our client id; we retry every 5 min
    std::uint64_t connects = 0;
    std::uint64_t session_lost = 0;  ///< connects whose session_present was unexpectedly 0
    UnixMs connected_since_ms = 0;
    UnixMs last_received_ms = 0;
    std::string last_error;  ///< empty after a successful connect
};

/// Called on Paho's receive thread with one message; returns only when the message is durable or
/// durably refused. An error means "not stored": the connection is then cut without PUBACK, and
/// the broker delivers again. Must not throw.
using OnMessage = std::function<Result<void>(std::string_view topic, std::string_view payload)>;
/// Called on the adapter's worker thread after each change of connection state.
using OnState = std::function<void(const State&)>;
/// Called on the adapter's worker thread before a connect for which the last credentials have less
/// than 30 min left or were refused; may block up to the HTTP time-out. When it fails, the last
/// credentials are used until they expire. A live connection is not cut because they do.
using GetCredentials = std::function<Result<Credentials>()>;

/// One persistent MQTT session of one agent: connects and reconnects for ever (1, 2, 4, 8, 16, 30,
/// 30 … s with ±20 % jitter, from the first attempt on), subscribes to its topic at QoS 1, and
/// publishes over the same connection.
///
/// All Paho calls are made on one worker thread of its own, because any Paho call may block while
/// a receive callback waits for the disk. `publish` and `state` never block.
/// Thread: any, unless said otherwise. The callbacks must outlive the connection.
class Connection {
  public:
    Connection(Options options, const Clock& clock, GetCredentials get_credentials,
               OnMessage on_message, OnState on_state);
    /// Disconnects (at most 2 s, and what a callback that is running still takes) and joins the
    /// worker; what was not acknowledged is reported as Unavailable. Not from a callback.
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    void start();

    /// Hands one QoS 1 message to the worker. `done` runs exactly once, on the worker or Paho's
    /// thread (ResourceExhausted: on the caller's, before this returns), and must not block:
    /// success after the broker's PUBACK (MQTT 5: with a success reason code), else Unavailable
    /// (not connected, connection lost before PUBACK), Timeout (20 s), PermissionDenied (refused
    /// by the broker), ResourceExhausted (more than `kPublishQueueMax` waiting).
    void publish(std::string topic, std::string payload, std::function<void(Result<void>)> done);
    static constexpr std::size_t kPublishQueueMax = 10'000;

    /// Ends the present connection, without waiting for the other side, and makes a new one with a
    /// subscription of its own after the first delay (and when `Options::may_act` allows it): for
    /// who knows that nothing arrives any more, or that another one acts.
    /// Does nothing when there is none. `why` becomes `State::last_error`.
    void renew(std::string why);

    State state() const;
    /// Whether this instance may act now, as `Options::may_act` says; may be asked on any thread,
    /// and after the connection is gone.
    std::function<bool()> gate() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// Keeps what Paho has of its own until the process ends: giving it back takes 0.1 to 0.2 s, which
/// a program that ends with its connections need not wait for.
void keep_paho();

/// `P2P_TOPIC/p2p/GID_agent@@@{agent}`. Source: docs/protocol.md, "MQTT".
std::string receive_topic(std::string_view agent_id);
/// `GID_agent@@@{agent}`. Source: docs/protocol.md, "MQTT".
std::string listener_client_id(std::string_view agent_id);

}  // namespace a2h::mqtt
