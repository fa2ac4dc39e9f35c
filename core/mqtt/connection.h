#pragma once

#include <cstdint>
#include <functional>
#include <memory>
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
    std::string ca_file;     ///< private CA, trusted in addition to the system's
    std::chrono::seconds keep_alive{60};
    std::chrono::seconds connect_timeout{15};
    std::chrono::hours session_expiry{24 * 3};  ///< MQTT 5 only
    std::chrono::milliseconds publish_timeout{20'000};
    ReconnectOptions reconnect;
    /// An earlier process of this client had a session at the broker.
    bool had_session = false;
    /// Called before each connect, publish and arrival; false: it does not happen now. Empty:
    /// always allowed. Must not block.
    ///
    /// Thread:  any.
    std::function<bool()> may_act{};
};

/// The state for `status`. A snapshot; reading it never calls Paho.
struct State {
    bool connected = false;
    bool taken_over =
        false;  ///< another client keeps using our client id; we retry every 5 minutes
    std::uint64_t connects = 0;
    std::uint64_t session_lost = 0;  ///< connects for which session_present was unexpectedly 0
    UnixMs connected_since_ms = 0;
    UnixMs last_received_ms = 0;
    std::string last_error;  ///< empty after a successful connect
};

/// Called on Paho's receive thread with one message. Returns only when the message is stored or
/// refused durably. After an error ("not stored") the connection is cut without a PUBACK, and the
/// broker delivers the message again. Must not throw.
using OnMessage = std::function<Result<void>(std::string_view topic, std::string_view payload)>;
/// Called on the adapter's worker thread after each change of connection state.
using OnState = std::function<void(const State&)>;
/// Called on the connection's worker thread before a connect if the last credentials expire in less
/// than 30 minutes or were refused. May block up to the HTTP time-out. If it fails, the last
/// credentials are used until they expire. An open connection is not closed because its credentials
/// expire.
using GetCredentials = std::function<Result<Credentials>()>;

/// One persistent MQTT session of one agent: connects and reconnects without end (after 1, 2, 4, 8,
/// 16, 30, 30 … s with ±20 % jitter, from the first attempt on), subscribes to its topic at QoS 1,
/// and publishes over the same connection.
///
/// All Paho calls are made on one worker thread, because any Paho call may block while a receive
/// callback waits for the disk. `publish` and `state` never block.
///
/// Thread:  any, unless stated otherwise. The callbacks must outlive the connection.
class Connection {
  public:
    Connection(Options options, const Clock& clock, GetCredentials get_credentials,
               OnMessage on_message, OnState on_state);
    /// Disconnects (takes at most 2 s, plus the time of a running callback) and joins the worker.
    /// Unacknowledged messages are reported as Unavailable. Must not be called from a callback.
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    void start();

    /// Passes one QoS 1 message to the worker. `done` runs exactly once, on the worker or on Paho's
    /// thread (for ResourceExhausted on the caller's, before this returns), and must not block:
    /// success after the broker's PUBACK (MQTT 5: with a success reason code), otherwise
    /// Unavailable (not connected, or connection lost before the PUBACK), Timeout (20 s),
    /// PermissionDenied (refused by the broker), ResourceExhausted (more than `kPublishQueueMax`
    /// waiting).
    void publish(std::string topic, std::string payload, std::function<void(Result<void>)> done);
    static constexpr std::size_t kPublishQueueMax = 10'000;

    /// Closes the connection without waiting for the other side, and makes a new one with a new
    /// subscription after the first delay (if `Options::may_act` allows it). Call it when nothing
    /// arrives any more, or when another instance acts. Does nothing if there is no connection.
    /// `why` becomes `State::last_error`.
    void renew(std::string why);

    State state() const;
    /// A function that says whether this instance may act now, as `Options::may_act`. It may be
    /// called on any thread, also after the connection was destroyed.
    std::function<bool()> gate() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// Keeps Paho's global state until the process ends. Releasing it takes 0.1 to 0.2 s, for which a
/// program that ends together with its connections need not wait.
void keep_paho();

/// `P2P_TOPIC/p2p/GID_agent@@@{agent}`. Source: docs/protocol.md, "MQTT".
std::string receive_topic(std::string_view agent_id);
/// `GID_agent@@@{agent}`. Source: docs/protocol.md, "MQTT".
std::string listener_client_id(std::string_view agent_id);

}  // namespace a2h::mqtt
