#include "core/mqtt/connection.h"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/ids.h"
#include "core/base/log.h"
#include "core/mqtt/session.h"

namespace a2h::mqtt {
namespace {

using SteadyTime = std::chrono::steady_clock::time_point;
using Done = std::function<void(Result<void>)>;

constexpr UnixMs kRenewBeforeMs = 30 * 60 * 1000;
/// An instance that may not act asks again: soon at first, because the answer to its first request
/// may arrive at any moment.
constexpr std::chrono::milliseconds kAskSoon{5};
constexpr std::chrono::milliseconds kAskLater{100};
constexpr int kSoonTimes = 100;

SteadyTime steady_now() {
    return std::chrono::steady_clock::now();
}

double random_unit() {
    std::array<std::byte, 4> bytes{};
    fill_random(bytes);
    std::uint32_t value = 0;
    for (const std::byte byte : bytes)
        value = value << 8 | std::to_integer<std::uint32_t>(byte);
    return value / 4294967296.0;
}

struct Waiting {
    std::string topic;
    std::string payload;
    Done done;
    SteadyTime deadline;
};

struct InFlight {
    Done done;
    SteadyTime deadline;
};

struct Ended {
    Loss loss = Loss::Closed;
    std::string reason;
};

/// The progress of the current attempt.
enum class Phase { Down, Connecting, Connected, Subscribed };

}  // namespace

// One mutex protects everything that the worker shares with callers and Paho's threads. Only plain
// assignments happen under it, so neither `publish` nor `state` nor a callback ever waits for Paho.
struct Connection::Impl final : SessionEvents {
    Impl(Options connection_options, const Clock& system_clock, GetCredentials credentials_source,
         OnMessage message_handler, OnState state_handler)
        : options(std::move(connection_options)),
          clock(system_clock),
          get_credentials(std::move(credentials_source)),
          handle_message(std::move(message_handler)),
          handle_state(std::move(state_handler)),
          schedule(options.reconnect) {}

    // The worker.
    void run();
    Ended connect_and_serve();
    Result<Credentials> credentials();
    bool establish(Session& session);
    void serve(Session& session);
    bool may_act() const { return !options.may_act || options.may_act(); }
    bool wait_until_allowed();
    void wait_before_retry(std::chrono::milliseconds delay);
    void announce(const Ended& ended);
    void went_online();
    void report_state();

    // Publishes.
    bool can_send() const { return in_flight.size() < Session::kInFlightMax && !waiting.empty(); }
    std::vector<Done> take_expired(SteadyTime now);
    std::vector<std::pair<std::uint64_t, Waiting>> take_batch();
    void fail_waiting();
    void finish(std::uint64_t id, Result<void> result);
    std::optional<SteadyTime> next_deadline() const;

    // SessionEvents, on Paho's threads.
    void on_connected(bool present) override;
    void on_subscribed() override;
    void on_ended(Loss loss, std::string reason) override;
    void on_published(std::uint64_t id, Result<void> result) override;
    Result<void> on_message(std::string_view topic, std::string_view payload) override;

    const Options options;
    const Clock& clock;
    const GetCredentials get_credentials;
    const OnMessage handle_message;
    const OnState handle_state;

    // Used only by the worker.
    ReconnectSchedule schedule;
    std::optional<Credentials> last_credentials;
    bool credentials_refused = false;

    mutable std::mutex mutex;
    std::condition_variable changed;
    bool stopping = false;
    Phase phase = Phase::Down;
    bool session_present = false;
    std::optional<Ended> ended;
    SteadyTime last_arrival{};  ///< of a message
    State state;
    std::deque<Waiting> waiting;
    std::map<std::uint64_t, InFlight> in_flight;  ///< ids grow, so the first is the oldest
    std::uint64_t next_id = 1;

    std::thread worker;
};

namespace {

/// Runs callbacks of users. An exception from them is a bug and must not end Paho's thread.
template <typename Function>
void guarded_call(Function&& function) {
    try {
        function();
    } catch (const std::exception& error) {
        log::error("An MQTT callback threw an exception", {{"what", error.what()}});
    } catch (...) {
        log::error("An MQTT callback threw an exception");
    }
}

void call_all(std::vector<Done>& dones, ErrorCode code, const std::string& message) {
    for (Done& done : dones)
        guarded_call([&] { done(fail(code, message)); });
}

}  // namespace

void Connection::Impl::run() {
    const PahoRuntime runtime;
    while (wait_until_allowed()) {
        const Ended end = connect_and_serve();
        announce(end);
        fail_waiting();
        {
            const std::lock_guard lock(mutex);
            if (stopping) return;
        }
        const bool was_taken_over = schedule.taken_over();
        const auto delay = schedule.lost(end.loss, steady_now(), random_unit());
        if (schedule.taken_over() && !was_taken_over) {
            log::warning("Another client uses our MQTT client id; trying again every 5 minutes",
                         {{"client_id", options.client_id}});
        }
        {
            const std::lock_guard lock(mutex);
            state.taken_over = schedule.taken_over();
        }
        report_state();
        wait_before_retry(delay);
    }
}

Ended Connection::Impl::connect_and_serve() {
    auto used = credentials();
    if (!used) return {Loss::ConnectFailed, "no broker credentials: " + used.error().message};
    auto session = Session::open(options, *this);
    if (!session) return {Loss::ConnectFailed, session.error().message};
    {
        const std::lock_guard lock(mutex);
        if (stopping) return {};
        phase = Phase::Connecting;
        ended.reset();
    }
    if (auto begun = (*session)->connect(*used); !begun) {
        return {Loss::ConnectFailed, begun.error().message};
    }
    if (establish(**session)) serve(**session);
    bool say_goodbye = false;
    {
        const std::lock_guard lock(mutex);
        say_goodbye = !ended && phase != Phase::Connecting;
        phase = Phase::Down;
    }
    if (say_goodbye) (*session)->disconnect();
    session->reset();
    const std::lock_guard lock(mutex);
    return ended.value_or(Ended{Loss::ConnectFailed, "stopped"});
}

Result<Credentials> Connection::Impl::credentials() {
    const UnixMs now = clock.now_ms();
    const bool usable = last_credentials && !credentials_refused;
    if (usable && last_credentials->expires_at_ms - now > kRenewBeforeMs) return *last_credentials;
    auto fresh = get_credentials();
    if (fresh) {
        last_credentials = *fresh;
        credentials_refused = false;
        return fresh;
    }
    // The broker decides whether they have expired, because our clock may be wrong.
    if (usable) return *last_credentials;
    return fresh;
}

/// True when subscribed. Otherwise `ended` contains the reason, or the connection is stopping.
bool Connection::Impl::establish(Session& session) {
    const auto deadline = steady_now() + options.connect_timeout;
    std::unique_lock lock(mutex);
    const auto reached = [this](Phase wanted) { return stopping || ended || phase == wanted; };
    if (!changed.wait_until(lock, deadline, [&] { return reached(Phase::Connected); })) {
        ended = Ended{Loss::ConnectFailed, "cannot connect: no answer from the broker in time"};
    }
    if (stopping || ended) return false;
    lock.unlock();
    const auto begun = session.subscribe();
    lock.lock();
    if (!begun && !ended) ended = Ended{Loss::ConnectFailed, begun.error().message};
    // All waiting mail may arrive before the answer, so only a silent broker counts as failed.
    const auto patience = [&] {
        return std::max(deadline, last_arrival + options.connect_timeout);
    };
    while (!changed.wait_until(lock, patience(), [&] { return reached(Phase::Subscribed); })) {
        if (steady_now() < patience()) continue;
        ended = Ended{Loss::ConnectFailed, "the broker did not answer the subscription in time"};
    }
    if (stopping || ended) return false;
    lock.unlock();
    went_online();
    return true;
}

void Connection::Impl::went_online() {
    schedule.connected(steady_now());
    bool lost = false;
    {
        const std::lock_guard lock(mutex);
        lost = (state.connects > 0 || options.had_session) && !session_present;
        state.connected = true;
        ++state.connects;
        if (lost) ++state.session_lost;
        state.connected_since_ms = clock.now_ms();
        state.last_error.clear();
    }
    if (lost) {
        log::error("The broker has lost our session; messages sent in the meantime may be missing",
                   {{"client_id", options.client_id}});
    }
    log::info("Connected to the broker", {{"client_id", options.client_id}});
    report_state();
}

void Connection::Impl::serve(Session& session) {
    std::unique_lock lock(mutex);
    while (!stopping && !ended) {
        const auto ready = [this] { return stopping || ended || can_send(); };
        auto wake_at = next_deadline();
        if (const auto settles = schedule.settles_at()) {
            wake_at = wake_at ? std::min(*wake_at, *settles) : *settles;
        }
        if (wake_at) {
            changed.wait_until(lock, *wake_at, ready);
        } else {
            changed.wait(lock, ready);
        }
        if (stopping || ended) return;
        auto expired = take_expired(steady_now());
        auto batch = take_batch();
        lock.unlock();
        call_all(expired, ErrorCode::Timeout, "the broker did not acknowledge the message in time");
        for (auto& [id, message] : batch) {
            if (!may_act()) {
                finish(id, fail(ErrorCode::Unavailable, "another instance acts for this agent"));
                continue;
            }
            auto handed = session.publish(id, std::move(message.topic), std::move(message.payload));
            if (!handed) finish(id, std::move(handed));
        }
        if (schedule.taken_over()) {
            schedule.settle(steady_now());
            if (!schedule.taken_over()) {
                {
                    const std::lock_guard settled(mutex);
                    state.taken_over = false;
                }
                report_state();
            }
        }
        lock.lock();
    }
}

void Connection::Impl::announce(const Ended& end) {
    bool was_connected = false;
    bool first_error = false;
    {
        const std::lock_guard lock(mutex);
        phase = Phase::Down;
        was_connected = std::exchange(state.connected, false);
        first_error = was_connected || state.last_error.empty();
        state.last_error = end.reason;
        if (stopping) return;
    }
    if (end.loss == Loss::Refused) credentials_refused = true;
    const auto level = first_error ? log::Level::Warning : log::Level::Debug;
    log::write(
        level,
        was_connected ? "The connection to the broker was lost" : "The broker cannot be reached",
        {{"client_id", options.client_id}, {"reason", end.reason}});
}

/// False when stopping.
bool Connection::Impl::wait_until_allowed() {
    for (int asked = 0; !may_act(); ++asked) {
        fail_waiting();
        std::unique_lock lock(mutex);
        const auto pause = asked < kSoonTimes ? kAskSoon : kAskLater;
        if (changed.wait_for(lock, pause, [this] { return stopping; })) return false;
    }
    return true;
}

void Connection::Impl::wait_before_retry(std::chrono::milliseconds delay) {
    const auto until = steady_now() + delay;
    while (true) {
        {
            std::unique_lock lock(mutex);
            const auto due = [this] { return stopping || !waiting.empty(); };
            if (!changed.wait_until(lock, until, due) || stopping) return;
        }
        fail_waiting();
    }
}

void Connection::Impl::report_state() {
    State copy;
    {
        const std::lock_guard lock(mutex);
        copy = state;
    }
    guarded_call([&] { handle_state(copy); });
}

std::optional<SteadyTime> Connection::Impl::next_deadline() const {
    std::optional<SteadyTime> next;
    if (!in_flight.empty()) next = in_flight.begin()->second.deadline;
    if (!waiting.empty() && (!next || waiting.front().deadline < *next)) {
        next = waiting.front().deadline;
    }
    return next;
}

std::vector<Done> Connection::Impl::take_expired(SteadyTime now) {
    std::vector<Done> expired;
    while (!in_flight.empty() && in_flight.begin()->second.deadline <= now) {
        expired.push_back(std::move(in_flight.begin()->second.done));
        in_flight.erase(in_flight.begin());
    }
    while (!waiting.empty() && waiting.front().deadline <= now) {
        expired.push_back(std::move(waiting.front().done));
        waiting.pop_front();
    }
    return expired;
}

std::vector<std::pair<std::uint64_t, Waiting>> Connection::Impl::take_batch() {
    std::vector<std::pair<std::uint64_t, Waiting>> batch;
    while (can_send()) {
        Waiting message = std::move(waiting.front());
        waiting.pop_front();
        const std::uint64_t id = next_id++;
        in_flight.emplace(id, InFlight{std::move(message.done), message.deadline});
        batch.emplace_back(id, std::move(message));
    }
    return batch;
}

void Connection::Impl::fail_waiting() {
    std::vector<Done> dones;
    {
        const std::lock_guard lock(mutex);
        for (auto& [id, message] : in_flight)
            dones.push_back(std::move(message.done));
        in_flight.clear();
        for (Waiting& message : waiting)
            dones.push_back(std::move(message.done));
        waiting.clear();
    }
    call_all(dones, ErrorCode::Unavailable, "not connected to the broker");
}

void Connection::Impl::finish(std::uint64_t id, Result<void> result) {
    Done done;
    {
        const std::lock_guard lock(mutex);
        const auto found = in_flight.find(id);
        if (found == in_flight.end()) return;  // it timed out before
        const bool was_full = in_flight.size() >= Session::kInFlightMax;
        done = std::move(found->second.done);
        in_flight.erase(found);
        if (was_full) changed.notify_one();
    }
    guarded_call([&] { done(std::move(result)); });
}

void Connection::Impl::on_connected(bool present) {
    const std::lock_guard lock(mutex);
    session_present = present;
    if (phase == Phase::Connecting) phase = Phase::Connected;
    changed.notify_one();
}

void Connection::Impl::on_subscribed() {
    const std::lock_guard lock(mutex);
    if (phase == Phase::Connected) phase = Phase::Subscribed;
    changed.notify_one();
}

void Connection::Impl::on_ended(Loss loss, std::string reason) {
    const std::lock_guard lock(mutex);
    if (!ended) {
        ended = Ended{loss, std::move(reason)};
        if (loss == Loss::Closed && !in_flight.empty()) {
            ended->loss = Loss::Rejected;
            ended->reason += " before a message was acknowledged; the broker may have refused it";
        }
    }
    changed.notify_one();
}

void Connection::Impl::on_published(std::uint64_t id, Result<void> result) {
    finish(id, std::move(result));
}

Result<void> Connection::Impl::on_message(std::string_view topic, std::string_view payload) {
    {
        const std::lock_guard lock(mutex);
        state.last_received_ms = clock.now_ms();
        last_arrival = steady_now();
    }
    if (!may_act()) return fail(ErrorCode::Unavailable, "another instance acts for this agent");
    return handle_message(topic, payload);
}

Connection::Connection(Options options, const Clock& clock, GetCredentials get_credentials,
                       OnMessage on_message, OnState on_state)
    : impl_(std::make_unique<Impl>(std::move(options), clock, std::move(get_credentials),
                                   std::move(on_message), std::move(on_state))) {}

Connection::~Connection() {
    {
        const std::lock_guard lock(impl_->mutex);
        impl_->stopping = true;
        impl_->changed.notify_one();
    }
    if (impl_->worker.joinable()) impl_->worker.join();
    impl_->fail_waiting();
}

void Connection::start() {
    A2H_CHECK(!impl_->worker.joinable());
    impl_->worker = std::thread([impl = impl_.get()] { impl->run(); });
}

void Connection::publish(std::string topic, std::string payload, Done done) {
    bool full = false;
    {
        const std::lock_guard lock(impl_->mutex);
        full = impl_->waiting.size() >= kPublishQueueMax;
        if (!full) {
            impl_->waiting.push_back({std::move(topic), std::move(payload), std::move(done),
                                      steady_now() + impl_->options.publish_timeout});
        }
    }
    if (full) {
        done(fail(ErrorCode::ResourceExhausted, "too many messages are waiting for the broker"));
    } else {
        // Not under the lock, because the worker would wake up and wait for it.
        impl_->changed.notify_one();
    }
}

void Connection::renew(std::string why) {
    const std::lock_guard lock(impl_->mutex);
    if (impl_->phase != Phase::Subscribed || impl_->ended) return;
    impl_->ended = Ended{Loss::Deaf, std::move(why)};
    impl_->changed.notify_one();
}

State Connection::state() const {
    const std::lock_guard lock(impl_->mutex);
    return impl_->state;
}

std::function<bool()> Connection::gate() const {
    return impl_->options.may_act ? impl_->options.may_act : [] { return true; };
}

std::string receive_topic(std::string_view agent_id) {
    return "P2P_TOPIC/p2p/" + listener_client_id(agent_id);
}

std::string listener_client_id(std::string_view agent_id) {
    return "GID_agent@@@" + std::string(agent_id);
}

}  // namespace a2h::mqtt
