#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/mqtt/connection.h"
#include "core/mqtt/reconnect.h"

namespace a2h::mqtt {

/// Keeps Paho's process-wide state alive. Paho C destroys it (threads, lists) together with its
/// last client, while it lets other threads create new clients at the same time; such a client is
/// never served. So each connection holds one of these, an unconnected client, as long as it
/// creates and destroys sessions. The last one waits up to 1.2 s for Paho's threads, except in a
/// process that called `keep_paho`.
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

/// The events of a session, on Paho's threads and under Paho's global lock: an implementation must
/// not wait for a thread that calls Paho, and must not throw.
class SessionEvents {
  public:
    virtual ~SessionEvents() = default;

    virtual void on_connected(bool session_present) = 0;
    virtual void on_subscribed() = 0;
    /// The attempt failed, or the connection was lost. May be called more than once; the first call
    /// has the cause.
    virtual void on_ended(Loss loss, std::string reason) = 0;
    virtual void on_published(std::uint64_t id, Result<void> result) = 0;
    /// Success: stored durably, so the PUBACK may be sent.
    virtual Result<void> on_message(std::string_view topic, std::string_view payload) = 0;
};

/// One Paho client from connecting to its end. It is never connected twice, so that nothing of an
/// old connection (publishes in flight, incomplete packets) affects the next one.
///
/// Thread:  the worker's; every call may block while a receive callback runs.
class Session {
  public:
    /// Errors: InvalidArgument for a URI or version that Paho refuses.
    static Result<std::unique_ptr<Session>> open(const Options& options, SessionEvents& events);
    /// Closes the socket without a DISCONNECT. Publishes still in flight are reported as
    /// Unavailable before this returns.
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// Starts to connect; `on_connected` or `on_ended` follows.
    ///
    /// Errors:  Internal.
    Result<void> connect(const Credentials& credentials);
    /// Starts to subscribe; `on_subscribed` or `on_ended` follows.
    ///
    /// Errors:  Unavailable.
    Result<void> subscribe();
    /// Passes one QoS 1 message to Paho. `on_published(id)` follows exactly once unless an error is
    /// returned.
    ///
    /// Errors:  Unavailable.
    Result<void> publish(std::uint64_t id, std::string topic, std::string payload);
    /// Sends a DISCONNECT and waits at most 1 s until it was sent. The broker keeps the session.
    void disconnect();

    /// Limit of publishes in Paho, which searches its lists linearly for each message.
    static constexpr std::size_t kInFlightMax = 256;

  private:
    struct Impl;
    explicit Session(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace a2h::mqtt
