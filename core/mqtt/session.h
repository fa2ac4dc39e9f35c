#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/mqtt/connection.h"
#include "core/mqtt/reconnect.h"

namespace a2h::mqtt {

/// Keeps Paho's process-wide state alive. Paho C tears it down (threads, lists) when its last
/// client goes, while it lets other threads make new clients in the middle of that: a client made
/// then is never served. Each connection therefore holds one of these, an unconnected client, for
/// as long as it makes and destroys sessions. The last one to go waits up to 1.2 s for Paho's
/// threads, except in a process that called `keep_paho`.
class PahoRuntime {
  public:
    PahoRuntime();
    ~PahoRuntime();
    PahoRuntime(const PahoRuntime&) = delete;
    PahoRuntime& operator=(const PahoRuntime&) = delete;

  private:
    struct Client;
    std::unique_ptr<Client> client_;
};

/// What a session reports, on Paho's threads and under Paho's global lock: an implementation must
/// not wait for anybody who calls Paho, and must not throw.
class SessionEvents {
  public:
    virtual ~SessionEvents() = default;

    virtual void on_connected(bool session_present) = 0;
    virtual void on_subscribed() = 0;
    /// The attempt failed or the connection is gone. May come more than once; the first tells why.
    virtual void on_ended(Loss loss, std::string reason) = 0;
    virtual void on_published(std::uint64_t id, Result<void> result) = 0;
    /// Success: durable, PUBACK may leave.
    virtual Result<void> on_message(std::string_view topic, std::string_view payload) = 0;
};

/// One Paho client from its connect to its end; never connected twice, so that nothing of an old
/// connection (publishes in flight, half-read packets) can reach the next one.
///
/// Thread: one, the worker's; every call may block while a receive callback runs.
class Session {
  public:
    /// Errors: InvalidArgument for a URI or version that Paho refuses.
    static Result<std::unique_ptr<Session>> open(const Options& options, SessionEvents& events);
    /// Closes the socket without a DISCONNECT; the publishes still in flight are reported as
    /// Unavailable from inside.
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// Begins to connect; `on_connected` or `on_ended` follows. Errors: Internal.
    Result<void> connect(const Credentials& credentials);
    /// Begins to subscribe; `on_subscribed` or `on_ended` follows. Errors: Unavailable.
    Result<void> subscribe();
    /// Hands over one QoS 1 message; `on_published(id)` follows exactly once unless an error is
    /// returned. Errors: Unavailable.
    Result<void> publish(std::uint64_t id, std::string topic, std::string payload);
    /// Says DISCONNECT and waits at most 1 s until it has left; the broker keeps the session.
    void disconnect();

    /// Publishes that Paho may hold at once: its lists are searched linearly for each message.
    static constexpr std::size_t kInFlightMax = 256;

  private:
    struct Impl;
    explicit Session(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace a2h::mqtt
