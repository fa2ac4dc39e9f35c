#include "market/relay/relay.h"

#include "core/base/log.h"
#include "market/broker/access.h"
#include "market/relay/announcer.h"
#include "market/relay/recorder.h"
#include "market/store/idempotency_store.h"

namespace a2h::market {
namespace {

/// How long an event may wait to be noticed. A check costs 20 us, and other processes cannot call
/// this one.
constexpr std::chrono::milliseconds kCheckEvery{100};
constexpr std::chrono::seconds kTidyEvery{60};
/// Longer than a connection needs before it requests another token.
constexpr std::int64_t kTokenLifetime_s = 7200;

mqtt::Options connection_options(const std::string& agent_id, const std::string& url,
                                 const std::string& ca_file) {
    mqtt::Options options;
    options.server_uri = url;
    options.client_id = recorder_client_id(agent_id);
    options.topic = kAllReceiveTopics;
    options.ca_file = ca_file;
    return options;
}

}  // namespace

/// Exists only while this process uses the broker. The connection is destroyed first, because its
/// callbacks use the others.
struct Relay::Work {
    Work(Relay& relay, const std::string& agent_id)
        : recorder(relay.database_, relay.clock_, relay.own_.sender_id(),
                   relay.options_.history_kept),
          announcer(
              relay.database_, relay.clock_, relay.own_,
              [this](std::string topic, std::string payload, Announcer::Done done) {
                  connection.publish(std::move(topic), std::move(payload), std::move(done));
              },
              [&relay] { relay.wake(); }),
          connection(
              connection_options(agent_id, relay.options_.mqtt_url, relay.options_.ca_file),
              relay.clock_, [&relay] { return relay.credentials(); },
              [this](std::string_view topic, std::string_view payload) {
                  return recorder.record(topic, payload);
              },
              [&relay](const mqtt::State&) { relay.wake(); }) {
        connection.start();
    }

    Recorder recorder;
    Announcer announcer;
    mqtt::Connection connection;
};

Relay::Relay(db::Database& database, const Clock& clock, const TokenSigner& signer,
             const OwnAgent& own, Options options, RelayLease lease)
    : database_(database),
      clock_(clock),
      signer_(signer),
      own_(own),
      options_(std::move(options)),
      lease_(std::move(lease)),
      tidied_at_(clock.steady_now()),
      thread_([this] { run(); }) {}

Result<std::unique_ptr<Relay>> Relay::start(db::Database& database, const Clock& clock,
                                            const TokenSigner& signer, const OwnAgent& own,
                                            Options options) {
    A2H_ASSIGN_OR_RETURN(auto lease, RelayLease::open(database, clock, options.data_dir));
    return std::unique_ptr<Relay>(
        new Relay(database, clock, signer, own, std::move(options), std::move(lease)));
}

Relay::~Relay() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
        changed_.notify_one();
    }
    thread_.join();
}

void Relay::run() {
    while (true) {
        {
            const std::lock_guard lock(mutex_);
            if (stopping_) break;
        }
        round();
        wait();
    }
    // Events that the broker has acknowledged by now need not be sent again by the next process.
    if (work_) static_cast<void>(work_->announcer.round(false));
    work_.reset();
    lease_.release();
}

void Relay::round() {
    const bool leads = lease_.hold();
    if (!leads) work_.reset();
    if (leads && !work_) work_ = std::make_unique<Work>(*this, own_.agent.agent_id);
    Status now{.leads = leads, .last_error = {}};
    if (work_) {
        const mqtt::State state = work_->connection.state();
        const auto done = work_->announcer.round(state.connected);
        if (!done && !failing_) {
            log::error("The database does not answer; events are waiting",
                       {{"reason", done.error().message}});
        }
        failing_ = !done;
        now.connected = state.connected;
        now.last_error = state.last_error;
        now.announced = work_->announcer.sent();
        now.recorded = work_->recorder.recorded();
        now.dropped = work_->recorder.dropped();
        tidy_up();
    }
    const std::lock_guard lock(mutex_);
    status_ = std::move(now);
}

void Relay::tidy_up() {
    const auto now = clock_.steady_now();
    if (now - tidied_at_ < kTidyEvery) return;
    tidied_at_ = now;
    const auto forgotten = database_.write_with(store::forget_old_answers, clock_.now_ms());
    if (!forgotten) {
        log::warning("Old idempotency keys could not be deleted",
                     {{"reason", forgotten.error().message}});
    }
}

void Relay::wake() {
    const std::lock_guard lock(mutex_);
    woken_ = true;
    changed_.notify_one();
}

void Relay::wait() {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, kCheckEvery, [this] { return stopping_ || woken_; });
    woken_ = false;
}

Result<mqtt::Credentials> Relay::credentials() const {
    const std::int64_t now_s = clock_.now_ms() / 1000;
    const std::int64_t expires_at_s = now_s + kTokenLifetime_s;
    const std::string& agent_id = own_.agent.agent_id;
    A2H_ASSIGN_OR_RETURN(auto token, signer_.sign({.agent_id = agent_id,
                                                   .client_id = recorder_client_id(agent_id),
                                                   .issued_at_s = now_s,
                                                   .expires_at_s = expires_at_s,
                                                   .role = BrokerRole::Recorder}));
    return mqtt::Credentials{agent_id, std::move(token), expires_at_s * 1000};
}

Relay::Status Relay::status() const {
    const std::lock_guard lock(mutex_);
    return status_;
}

}  // namespace a2h::market
