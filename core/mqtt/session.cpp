#include "core/mqtt/session.h"

#include <mqtt/async_client.h>

#include <cstddef>
#include <future>
#include <mutex>
#include <new>

#include "core/base/log.h"
#include "core/mqtt/no_delay.h"

namespace a2h::mqtt {
namespace {

constexpr int kMqtt5 = MQTTVERSION_5;
constexpr auto kDisconnectWait = std::chrono::seconds(1);
/// MQTT 5: how many unacknowledged messages the broker may send. They are processed one by one; a
/// higher number only hides the round-trip time.
constexpr int kReceiveMaximum = 100;

/// Creating the first client and destroying the last one must not overlap; see PahoRuntime.
std::mutex& runtime_mutex() {
    static std::mutex mutex;
    return mutex;
}

// A publish has its id as the user context, which Paho returns unchanged.
void* to_context(std::uint64_t id) {
    return reinterpret_cast<void*>(static_cast<std::uintptr_t>(id));
}
std::uint64_t from_context(void* context) {
    return reinterpret_cast<std::uintptr_t>(context);
}

std::string describe_failure(int code) {
    if (code > 0) return "the broker refused us, code " + std::to_string(code);
    return "no connection; for mqtts:// this may also be a certificate that is not trusted";
}

/// For callbacks: an exception that reaches Paho's C code would end the process.
template <typename Function>
void contained(Function&& function) noexcept {
    try {
        function();
    } catch (const std::exception& error) {
        log::error("An MQTT callback threw an exception", {{"what", error.what()}});
    } catch (...) {
        log::error("An MQTT callback threw an exception");
    }
}

}  // namespace

struct PahoRuntime::Client {
    ::mqtt::async_client paho{"mqtt://127.0.0.1:1", "unused"};
};

PahoRuntime::PahoRuntime() {
    const std::lock_guard lock(runtime_mutex());
    // By default Paho formats a trace line for each packet and each function call.
    MQTTAsync_setTraceLevel(MQTTASYNC_TRACE_ERROR);
    client_ = std::make_unique<Client>();
}

PahoRuntime::~PahoRuntime() {
    const std::lock_guard lock(runtime_mutex());
    client_.reset();
}

void keep_paho() {
    // Never destroyed, but reachable, so that leak checkers report nothing.
    alignas(PahoRuntime) static std::byte place[sizeof(PahoRuntime)];
    [[maybe_unused]] static PahoRuntime* const runtime = new (place) PahoRuntime;
}

struct Session::Impl final : ::mqtt::iaction_listener {
    Impl(const Options& session_options, SessionEvents& session_events)
        : options(session_options),
          events(session_events),
          port(broker_port(session_options.server_uri)),
          client(session_options.server_uri, session_options.client_id, create_options()) {
        // One by one, because set_callback takes Paho's two locks in another order than its
        // threads.
        client.set_connection_lost_handler(
            [this](const std::string& cause) { on_connection_lost(cause); });
        client.set_message_callback(
            [this](const ::mqtt::const_message_ptr& message) { on_message(*message); });
        if (options.mqtt_version == kMqtt5) {
            client.set_disconnected_handler(
                [this](const ::mqtt::properties&, ::mqtt::ReasonCode reason) {
                    on_disconnect_packet(reason);
                });
        }
    }

    ::mqtt::create_options create_options() const {
        ::mqtt::create_options result(options.mqtt_version);
        // Even while connected, Paho counts unsent messages as buffered, and by default refuses
        // more than 100.
        result.set_max_buffered_messages(static_cast<int>(2 * kInFlightMax));
        return result;
    }

    void on_message(const ::mqtt::message& message);
    void on_connection_lost(const std::string& cause);
    void on_success(const ::mqtt::token& token) override;
    void on_failure(const ::mqtt::token& token) override;
    void on_disconnect_packet(::mqtt::ReasonCode reason);
    Result<void> failed_publish(const ::mqtt::token& token) const;

    const Options& options;
    SessionEvents& events;
    const std::uint16_t port;
    bool cut = false;  ///< used only by Paho's receive thread
    std::promise<void> said_goodbye;
    ::mqtt::async_client client;
};

void Session::Impl::on_message(const ::mqtt::message& message) {
    // After the connection was cut, messages in the receive buffer cannot be acknowledged any more.
    // They are delivered again, in order, after the message that failed.
    if (cut) return;
    Result<void> stored;
    try {
        stored = events.on_message(message.get_topic(), message.get_payload_str());
    } catch (const std::exception& error) {
        stored = fail(ErrorCode::Internal, error.what());
    } catch (...) {
        stored = fail(ErrorCode::Internal, "unknown exception while storing a message");
    }
    if (stored) return;
    cut = true;
    shut_down_sockets(port);
    contained([&] {
        events.on_ended(Loss::NotStored,
                        "a message could not be stored: " + stored.error().message);
    });
}

void Session::Impl::on_connection_lost(const std::string& cause) {
    contained([&] {
        events.on_ended(Loss::Closed, cause.empty() ? "the connection was closed" : cause);
    });
}

void Session::Impl::on_disconnect_packet(::mqtt::ReasonCode reason) {
    contained([&] {
        if (reason == ::mqtt::ReasonCode::SESSION_TAKEN_OVER) {
            events.on_ended(Loss::TakenOver, "another client has connected with our client id");
        } else {
            events.on_ended(Loss::Closed, "the broker ended the connection, reason code " +
                                              std::to_string(static_cast<int>(reason)));
        }
    });
}

void Session::Impl::on_success(const ::mqtt::token& token) {
    contained([&] {
        switch (token.get_type()) {
            case ::mqtt::token::Type::CONNECT:
                events.on_connected(token.get_connect_response().is_session_present());
                break;
            case ::mqtt::token::Type::SUBSCRIBE:
                events.on_subscribed();
                break;
            case ::mqtt::token::Type::PUBLISH:
                events.on_published(from_context(token.get_user_context()), {});
                break;
            case ::mqtt::token::Type::DISCONNECT:
                said_goodbye.set_value();
                break;
            case ::mqtt::token::Type::UNSUBSCRIBE:
                break;
        }
    });
}

void Session::Impl::on_failure(const ::mqtt::token& token) {
    contained([&] {
        switch (token.get_type()) {
            case ::mqtt::token::Type::CONNECT: {
                const int code = token.get_return_code();
                events.on_ended(code > 0 ? Loss::Refused : Loss::ConnectFailed,
                                "cannot connect: " + describe_failure(code));
                break;
            }
            case ::mqtt::token::Type::SUBSCRIBE:
                events.on_ended(Loss::Refused, "the broker refused the subscription");
                break;
            case ::mqtt::token::Type::PUBLISH:
                events.on_published(from_context(token.get_user_context()), failed_publish(token));
                break;
            case ::mqtt::token::Type::DISCONNECT:
                said_goodbye.set_value();
                break;
            case ::mqtt::token::Type::UNSUBSCRIBE:
                break;
        }
    });
}

Result<void> Session::Impl::failed_publish(const ::mqtt::token& token) const {
    const int reason = static_cast<int>(token.get_reason_code());
    if (options.mqtt_version == kMqtt5 && reason >= 0x80) {
        return fail(ErrorCode::PermissionDenied,
                    "the broker refused the message, reason code " + std::to_string(reason));
    }
    return fail(ErrorCode::Unavailable,
                "the connection was lost before the broker acknowledged the message");
}

Session::Session(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Session::~Session() = default;

Result<std::unique_ptr<Session>> Session::open(const Options& options, SessionEvents& events) {
    try {
        return std::unique_ptr<Session>(new Session(std::make_unique<Impl>(options, events)));
    } catch (const std::exception& error) {
        return fail(ErrorCode::InvalidArgument,
                    "cannot use broker address " + options.server_uri + ": " + error.what());
    }
}

Result<void> Session::connect(const Credentials& credentials) {
    const Options& options = impl_->options;
    try {
        // Copying or assigning connect_options loses the MQTT 5 properties, and with them the
        // session expiry and waiting mail. So there is one named object, which outlives the call.
        ::mqtt::connect_options connect;
        connect.set_mqtt_version(options.mqtt_version);
        connect.set_keep_alive_interval(options.keep_alive);
        connect.set_connect_timeout(options.connect_timeout);
        connect.set_max_inflight(static_cast<int>(kInFlightMax));
        if (options.mqtt_version == kMqtt5) {
            const auto expiry =
                std::chrono::duration_cast<std::chrono::seconds>(options.session_expiry).count();
            connect.set_clean_start(false);
            ::mqtt::properties properties;
            properties.add({::mqtt::property::SESSION_EXPIRY_INTERVAL, static_cast<int>(expiry)});
            properties.add({::mqtt::property::RECEIVE_MAXIMUM, kReceiveMaximum});
            connect.set_properties(properties);
        } else {
            connect.set_clean_session(false);
        }
        if (!credentials.username.empty()) {
            connect.set_user_name(credentials.username);
            connect.set_password(credentials.password);
        }
        if (options.server_uri.starts_with("mqtts://")) {
            // No error handler, because Paho C++ would keep a pointer to its copy of these options.
            ::mqtt::ssl_options tls;
            tls.set_enable_server_cert_auth(true);
            tls.set_verify(true);  // including the name in the certificate
            if (!options.ca_file.empty()) tls.set_trust_store(options.ca_file);
            connect.set_ssl(tls);
        }
        impl_->client.connect(connect, nullptr, *impl_);
        return {};
    } catch (const std::exception& error) {
        return fail(ErrorCode::Internal, std::string("cannot connect: ") + error.what());
    }
}

Result<void> Session::subscribe() {
    try {
        set_no_delay(impl_->port);
        impl_->client.subscribe(impl_->options.topic, 1, nullptr, *impl_);
        return {};
    } catch (const std::exception& error) {
        return fail(ErrorCode::Unavailable, std::string("cannot subscribe: ") + error.what());
    }
}

Result<void> Session::publish(std::uint64_t id, std::string topic, std::string payload) {
    try {
        impl_->client.publish(::mqtt::make_message(std::move(topic), std::move(payload), 1, false),
                              to_context(id), *impl_);
        return {};
    } catch (const std::exception& error) {
        return fail(ErrorCode::Unavailable, std::string("cannot publish: ") + error.what());
    }
}

void Session::disconnect() {
    try {
        const auto done = impl_->said_goodbye.get_future();
        impl_->client.disconnect(0, nullptr, *impl_);
        done.wait_for(kDisconnectWait);
    } catch (const std::exception&) {
        // Not connected any more, so there is nothing to do.
    }
}

}  // namespace a2h::mqtt
