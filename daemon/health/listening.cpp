#include "daemon/health/listening.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/log.h"
#include "core/base/time_text.h"
#include "core/store/event_store.h"
#include "core/wire/canonical.h"
#include "core/wire/envelope.h"
#include "daemon/effects/rows.h"
#include "daemon/mail/receiver.h"
#include "daemon/notify/kinds.h"

namespace a2h::health {
namespace {

using std::chrono::duration_cast;
using std::chrono::milliseconds;

constexpr int kLostMeansDeaf = 2;
/// After each new connection that did not help, twice as many canaries are sent before the next
/// one, up to this many doublings.
constexpr int kDoublingsMax = 2;

void read_milliseconds(const char* name, milliseconds& value) {
    const char* const set = std::getenv(name);
    if (set == nullptr) return;
    const std::string_view text(set);
    std::int64_t count = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    if (error == std::errc() && end == text.data() + text.size() && count > 0) {
        value = milliseconds(count);
        return;
    }
    log::warning("An environment variable is not a number of milliseconds; using the default",
                 {{"variable", name}, {"value", text}});
}

using Form = notify::BodyArgument::Form;
constexpr notify::KindRow kNews[] = {
    {.kind = "listening.deaf",
     .key = "notify.deaf",
     .arguments = {{{"since", "since", Form::Time}, {"until", "until", Form::Time}}}},
    {.kind = "listening.healed",
     .key = "notify.healed",
     .arguments = {{{"since", "since", Form::Time}, {"until", "until", Form::Time}}}},
};

std::string seconds_text(milliseconds time) {
    return std::to_string(static_cast<double>(time.count()) / 1000.0).substr(0, 4) + " s";
}

}  // namespace

void register_news() {
    notify::register_kinds(kNews);
}

ListeningOptions listening_options() {
    ListeningOptions options;
    read_milliseconds("A2H_CANARY_INTERVAL_MS", options.interval);
    read_milliseconds("A2H_CANARY_PATIENCE_MS", options.patience);
    return options;
}

Listening::Listening(const kernel::Kernel& kernel, const Current<Config>& config, Agents& agents,
                     mail::CatchUp& catch_up, const outcome::Commits& commits,
                     ListeningOptions options)
    : kernel_(kernel),
      config_(config),
      agents_(agents),
      catch_up_(catch_up),
      commits_(commits),
      options_(options) {}

Listening::Ear& Listening::ear_of(const Agent& agent) {
    return ears_[agent.identity.account.agent_id];
}

void Listening::start() {
    kernel_.loop.call_after(options_.interval, [this] {
        check_all();
        start();
    });
}

void Listening::check_all() {
    for (auto& [id, agent] : agents_) {
        if (agent->connection && agent->connected && !agent->is_stopped) check_agent(*agent);
    }
}

void Listening::check_agent(Agent& agent) {
    Ear& ear = ear_of(agent);
    const UnixMs received_ms = agent.connection->state().last_received_ms;
    if (std::exchange(ear.last_received_ms, received_ms) != received_ms) {
        hears(agent);
    } else if (agent.self_test.waiting_for.empty()) {
        send(agent);
    }
}

void Listening::connected(Agent& agent) {
    ear_of(agent).last_received_ms = agent.connection->state().last_received_ms;
    send(agent);
}

void Listening::disconnected(Agent& agent) {
    Ear& ear = ear_of(agent);
    kernel_.loop.cancel(ear.timer);
    agent.self_test.waiting_for.clear();
    agent.self_test.has_returned = false;
    // A new connection has lost nothing yet. `renewals` stays: if this connection was renewed
    // because of canaries, the next renewal still takes more of them.
    ear.lost = 0;
    answer(ear, fail(ErrorCode::Unavailable, "the connection to the broker was lost"));
}

void Listening::check(Agent& agent, Checked checked) {
    if (!agent.connection || !agent.connected) {
        return checked(fail(ErrorCode::Unavailable, "there is no connection to the broker"));
    }
    ear_of(agent).waiting.push_back(std::move(checked));
    if (agent.self_test.waiting_for.empty()) send(agent);
}

void Listening::send(Agent& agent) {
    const std::string& id = agent.identity.account.agent_id;
    const UnixMs now_ms = kernel_.clock.now_ms();
    Ear& ear = ear_of(agent);
    OutboxMessage canary = effects::new_outbox_message(id, id, "{}", "", "self-test", now_ms);
    canary.message_type = mail::kSelfTestType;
    const auto text = wire::sign_envelope(canary, agent.identity.account.keys, now_ms);
    if (!text) {
        agent.self_test.failed = true;
        agent.self_test.detail = text.error().message;
        return answer(ear, fail(text.error()));
    }
    agent.self_test.waiting_for = canary.message_id;
    ++agent.self_test.sent_count;
    agent.self_test.sent_at_ms = now_ms;
    ear.sent_at = kernel_.clock.steady_now();
    agent.connection->publish(mqtt::receive_topic(id), *text, [](const Result<void>&) {});
    ear.timer = kernel_.loop.call_after(options_.patience,
                                        [this, &agent, sent = std::move(canary.message_id)] {
                                            if (agent.self_test.waiting_for == sent) lost(agent);
                                        });
}

void Listening::lost(Agent& agent) {
    agent.self_test.waiting_for.clear();
    agent.self_test.failed = true;
    agent.self_test.detail =
        "a message to ourselves did not come back within " + seconds_text(options_.patience);
    Ear& ear = ear_of(agent);
    answer(ear, fail(ErrorCode::Timeout, agent.self_test.detail));
    const UnixMs received_ms = agent.connection->state().last_received_ms;
    if (std::exchange(ear.last_received_ms, received_ms) != received_ms) return hears(agent);
    ++ear.lost;
    if (ear.lost == 1 && agent.self_test.deaf_since_ms == 0) return send(agent);
    if (ear.lost < kLostMeansDeaf << std::min(ear.renewals, kDoublingsMax)) return;
    ear.lost = 0;
    ++ear.renewals;
    if (agent.self_test.deaf_since_ms == 0) went_deaf(agent);
    agent.self_test.detail += "; nothing has been heard since " +
                              to_utc_time(agent.self_test.deaf_since_ms) + ", and a2hd reconnects";
    log::warning("Canary messages do not arrive; connecting to the broker again",
                 {{"agent", agent.identity.account.agent_id}});
    agent.connection->renew("canary messages did not arrive");
}

void Listening::went_deaf(Agent& agent) {
    SelfTest& test = agent.self_test;
    // Before the lost canaries, mail arrived as far as is known.
    test.deaf_since_ms = std::max({test.last_ok_ms, agent.connection->state().last_received_ms,
                                   agent.connection->state().connected_since_ms});
    write(agent, "listening.deaf", test.deaf_since_ms, true, false);
    kernel_.loop.call_after(
        options_.patience * 3 / 2,
        [this, &agent, since_ms = test.deaf_since_ms] { still_deaf(agent, since_ms); });
}

void Listening::still_deaf(Agent& agent, UnixMs since_ms) {
    if (agent.self_test.deaf_since_ms != since_ms || agent.is_stopped) return;
    ear_of(agent).is_reported = true;
    write(agent, "listening.deaf", since_ms, false, true);
}

void Listening::returned(const std::string& agent_id, const std::string& message_id) {
    Agent& agent = *agents_.at(agent_id);
    Ear& ear = ear_of(agent);
    if (agent.self_test.waiting_for == message_id) {
        agent.self_test.waiting_for.clear();
        agent.self_test.has_returned = true;
        agent.self_test.is_behind = false;
        agent.self_test.returned_count = agent.self_test.sent_count;
        kernel_.loop.cancel(ear.timer);
        catch_up_.broker_is_read(agent);
        const auto took = duration_cast<milliseconds>(kernel_.clock.steady_now() - ear.sent_at);
        const milliseconds by_clock(kernel_.clock.now_ms() - agent.self_test.sent_at_ms);
        answer(ear, RoundTrip{took, by_clock - took});
    }
    hears(agent);
}

void Listening::hears(Agent& agent) {
    SelfTest& test = agent.self_test;
    Ear& ear = ear_of(agent);
    test.failed = false;
    test.detail.clear();
    test.last_ok_ms = kernel_.clock.now_ms();
    ear.lost = 0;
    ear.renewals = 0;
    const UnixMs since_ms = std::exchange(test.deaf_since_ms, 0);
    if (since_ms == 0) return;
    const auto now = kernel_.clock.steady_now();
    const bool first = ear.reported_at == std::chrono::steady_clock::time_point{};
    const bool notifies = ear.is_reported || first || now - ear.reported_at >= kQuietFor;
    if (notifies) ear.reported_at = now;
    ear.is_reported = false;
    log::info("Canary messages arrive again", {{"agent", agent.identity.account.agent_id}});
    write(agent, "listening.healed", since_ms, true, notifies);
    agent.next_catch_up = {};
    catch_up_.start(agent);
}

void Listening::answer(Ear& ear, const Result<RoundTrip>& result) {
    for (const Checked& checked : std::exchange(ear.waiting, {}))
        checked(result);
}

void Listening::write(const Agent& agent, const char* kind, UnixMs since_ms, bool event,
                      bool notifies) {
    const UnixMs now_ms = kernel_.clock.now_ms();
    Notification news;
    news.agent_id = agent.identity.account.agent_id;
    news.kind = kind;
    news.body_json =
        wire::canonical_json({{"since", to_utc_time(since_ms)}, {"until", to_utc_time(now_ms)}});
    kernel_.write(
        store::Writer::Priority::Background,
        [this, news, event, notifies, now_ms](store::Database& db) -> Result<void> {
            if (event) {
                A2H_TRY(store::insert_event(
                    db, effects::new_event(news.agent_id, news.kind, news.agent_id, news.body_json,
                                           now_ms)));
            }
            if (!notifies) return {};
            return consent::notify_human(db, news, config_->approval, now_ms);
        },
        [this](const Result<void>&) { commits_.rows_written(); });
}

}  // namespace a2h::health
