#include "daemon/mail/dispatcher.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "core/base/ids.h"
#include "core/base/log.h"
#include "core/base/text.h"
#include "core/store/outbox_store.h"
#include "daemon/consent/door.h"
#include "daemon/effects/message_audit.h"
#include "daemon/kernel/fault_point.h"
#include "daemon/mail/dead_letter.h"

namespace a2h::mail {
namespace {

using std::chrono::milliseconds;
using Target = outcome::Delivery::Target;

constexpr std::chrono::seconds kExpiryInterval{60};
constexpr std::chrono::seconds kReadRetry{1};

std::string conversation_key(const OutboxMessage& message) {
    return message.agent_id + " " + message.target_id;
}

double random_jitter() {
    std::uint32_t bits = 0;
    fill_random(std::as_writable_bytes(std::span(&bits, 1)));
    return static_cast<double>(bits) / 2147483647.5 - 1.0;
}

/// Returns the number of expired messages.
Result<std::size_t> bury_expired(store::Database& db, UnixMs now_ms,
                                 const consent::Policy& policy) {
    A2H_ASSIGN_OR_RETURN(const auto dead, store::expire_outbox(db, now_ms));
    for (const OutboxMessage& message : dead)
        A2H_TRY(record_dead_letter(db, message, {GivenUp::Expired}, now_ms, policy));
    return dead.size();
}

}  // namespace

Dispatcher::Dispatcher(const kernel::Kernel& kernel, const Current<Config>& config,
                       kernel::Metrics& metrics, Agents& agents, const outcome::Delivery& delivery,
                       const UnreadMail& unread_mail, outcome::Commits& commits)
    : kernel_(kernel),
      config_(config),
      metrics_(metrics),
      agents_(agents),
      delivery_(delivery),
      envelopes_(kernel.clock, agents),
      late_judge_(kernel, agents, unread_mail, *this) {
    commits.add(*this);
}

milliseconds Dispatcher::retry_delay(int attempts, double jitter) {
    constexpr int kDoublingsMax = 6;
    const int doublings = std::min(attempts, kDoublingsMax);
    const double seconds = std::min(120.0, 2.0 * static_cast<double>(1 << doublings));
    return milliseconds(static_cast<std::int64_t>(seconds * 1000.0 * (1.0 + 0.2 * jitter)));
}

void Dispatcher::writing(const outcome::Effects& effects) {
    for (const OutboxMessage& message : effects.outbox)
        prepare(message);
}

void Dispatcher::written(const outcome::Effects& effects,
                         const std::vector<store::OutboxPlace>& places) {
    for (std::size_t i = 0; i < places.size(); ++i)
        send(effects.outbox[i], places[i]);
}

void Dispatcher::search_due() {
    // Many rows may be written within one turn of the loop; one search finds them all.
    if (search_posted_) return;
    search_posted_ = true;
    kernel_.loop.post([this] {
        search_posted_ = false;
        const UnixMs now_ms = kernel_.clock.now_ms();
        const auto due = store::due_outbox(kernel_.reader, now_ms, static_cast<int>(kBatchMax));
        if (!due) {
            check_again_later(due.error());
            return;
        }
        cut_ = due->size() == kBatchMax;
        // For peers with a message in flight, further rows may have been written.
        for (auto& [conversation, flight] : in_flight_)
            flight.more = true;
        for (const OutboxMessage& message : *due) {
            if (!can_send(message)) continue;
            if (in_flight_.contains(conversation_key(message))) continue;
            publish(message, true);
        }
        schedule_wakeup(now_ms);
    });
}

void Dispatcher::check_again_later(const Error& error) {
    log::warning("The outbox could not be read; trying again later", {{"error", error.message}});
    kernel_.loop.call_after(kReadRetry, [this] { search_due(); });
}

/// Messages that could not be sent at once are signed when they are sent.
void Dispatcher::prepare(const OutboxMessage& message) {
    if (can_send(message) && !in_flight_.contains(conversation_key(message)))
        envelopes_.prepare(message);
}

bool Dispatcher::can_send(const std::string& agent_id, const std::string& target_id) const {
    const auto agent = agents_.find(agent_id);
    return agent != agents_.end() &&
           (agent->second->connected || delivery_.find(target_id) != Target::Unknown);
}

bool Dispatcher::can_send(const OutboxMessage& message) const {
    return can_send(message.agent_id, message.target_id);
}

void Dispatcher::send(OutboxMessage written, store::OutboxPlace place) {
    // The search for due rows may have found it before. It is then still in flight: the writer
    // reports commits in order, so its result reaches the loop after this.
    const auto before = in_flight_.find(conversation_key(written));
    if (before != in_flight_.end()) {
        before->second.more = true;
    } else if (!place.is_next) {
        send_next(written.agent_id, written.target_id);
    } else if (can_send(written)) {
        written.id = place.id;
        publish(written, false);
    }
}

void Dispatcher::send_next(const std::string& agent_id, const std::string& target_id) {
    if (!can_send(agent_id, target_id)) return;
    const auto next = store::next_outbox_of_peer(kernel_.reader, agent_id, target_id);
    if (!next) {
        check_again_later(next.error());
        return;
    }
    if (!*next) return;
    const UnixMs now_ms = kernel_.clock.now_ms();
    if ((*next)->next_attempt_ms <= now_ms) {
        publish(**next, true);
    } else {
        schedule_wakeup(now_ms);
    }
}

void Dispatcher::publish(const OutboxMessage& message, bool more) {
    in_flight_[conversation_key(message)] = {message.id, more};
    if (delivery_.find(message.target_id) != Target::Unknown) {
        if (may_pass(message)) deliver(message);
        return;
    }
    // A broker may close the connection because of a publish to an invalid topic, after each login
    // again.
    if (!is_agent_id(message.target_id)) {
        bury(message, {GivenUp::Undeliverable, preview(message.target_id) + " is not an agent id"});
        return;
    }
    late_judge_.judge(message);
}

void Dispatcher::leave_queued(const OutboxMessage& message) {
    in_flight_.erase(conversation_key(message));
}

/// Whether the row may still leave and has its permit. If not, it is given up; after an error it is
/// tried again.
bool Dispatcher::may_pass(const OutboxMessage& message) {
    if (message.expires_at_ms <= kernel_.clock.now_ms()) {
        bury(message, {GivenUp::Expired});
        return false;
    }
    const auto permitted = consent::has_permit(kernel_.reader, message);
    if (!permitted) published(message, fail(permitted.error()));
    if (permitted && !*permitted) bury(message, {GivenUp::NoPermit});
    return permitted && *permitted;
}

void Dispatcher::pass_on(const OutboxMessage& message) {
    if (!may_pass(message)) return;
    auto text = envelopes_.take(message);
    if (!text) {
        published(message, fail(text.error()));
        return;
    }
    in_flight_[conversation_key(message)].published_at = std::chrono::steady_clock::now();
    A2H_FAULT_POINT("dispatch.1");
    agents_.at(message.agent_id)
        ->connection->publish(mqtt::receive_topic(message.target_id), std::move(*text),
                              [this, message](Result<void> result) {
                                  kernel_.loop.post([this, message, result = std::move(result)] {
                                      published(message, result);
                                  });
                              });
}

Result<std::shared_ptr<outcome::Delivery::Passage>> Dispatcher::passage_of(
    const OutboxMessage& message) {
    A2H_ASSIGN_OR_RETURN(const auto envelope, envelopes_.take(message));
    return delivery_.begin(message, envelope);
}

void Dispatcher::deliver(const OutboxMessage& message) {
    if (delivery_.find(message.target_id) == Target::Stopped) {
        bury(message, {GivenUp::Stopped});
        return;
    }
    const auto passage = passage_of(message);
    if (!passage) {
        bury(message, {GivenUp::Undeliverable, passage.error().message});
        return;
    }
    kernel_.write(
        store::Writer::Priority::Urgent,
        [passage = *passage, id = message.id](store::Database& db) {
            return passage->write(db, id);
        },
        [this, message, passage = *passage](const Result<void>& written) {
            if (!written) {
                kernel_.loop.call_after(kReadRetry, [this, message] { deliver(message); });
                return;
            }
            passage->written();
            settled(message);
        });
}

void Dispatcher::queue(OutboxMessage message, Write write, Done done) {
    if (delivery_.find(message.target_id) != Target::Open ||
        in_flight_.contains(conversation_key(message))) {
        queue_only(message, std::move(write), std::move(done));
        return;
    }
    const auto passage = passage_of(message);
    if (!passage) {
        done(fail(passage.error()));
        return;
    }
    in_flight_[conversation_key(message)] = {0, false};
    auto older_wait = std::make_shared<bool>(false);
    kernel_.write(
        store::Writer::Priority::Urgent,
        [passage = *passage, older_wait,
         write = std::move(write)](store::Database& db) -> Result<void> {
            A2H_ASSIGN_OR_RETURN(const auto place, write(db));
            *older_wait = !place.is_next;
            return *older_wait ? Result<void>() : passage->write(db, place.id);
        },
        [this, message = std::move(message), passage = *passage, older_wait,
         done = std::move(done)](const Result<void>& written) {
            if (*older_wait) in_flight_[conversation_key(message)].more = true;
            if (written && !*older_wait) passage->written();
            settled(message);
            done(written);
        });
}

void Dispatcher::queue_only(const OutboxMessage& message, Write write, Done done) {
    auto place = std::make_shared<store::OutboxPlace>();
    kernel_.write(
        store::Writer::Priority::Urgent,
        [write = std::move(write), place](store::Database& db) -> Result<void> {
            A2H_ASSIGN_OR_RETURN(const auto written, write(db));
            *place = written;
            return {};
        },
        [this, message, place, done = std::move(done)](const Result<void>& written) {
            if (written) send(message, *place);
            done(written);
        });
}

void Dispatcher::give_up(const OutboxMessage& message, GivenUp why) {
    bury(message, {why});
}

/// For failures that no later attempt would change.
void Dispatcher::bury(const OutboxMessage& message, const DeadLetter& dead) {
    auto is_buried = std::make_shared<bool>(false);
    settle(
        message,
        [message, dead, is_buried, now_ms = kernel_.clock.now_ms(),
         policy = policy_of(config_)](store::Database& db) -> Result<void> {
            A2H_ASSIGN_OR_RETURN(const auto buried,
                                 store::bury_outbox(db, message.id, error_of(dead), now_ms));
            *is_buried = buried;
            return buried ? record_dead_letter(db, message, dead, now_ms, *policy) : Result<void>();
        },
        [this, is_buried] {
            if (*is_buried) metrics_.dead_letters.add();
        });
}

void Dispatcher::published(const OutboxMessage& message, const Result<void>& result) {
    A2H_FAULT_POINT("dispatch.2");
    const UnixMs now_ms = kernel_.clock.now_ms();
    InFlight& flight = in_flight_[conversation_key(message)];
    flight.published_at.reset();
    if (result) {
        metrics_.sent_to_broker.add();
        settle(message, [message, now_ms](store::Database& db) -> Result<void> {
            A2H_TRY(store::mark_outbox_sent(db, message.id, now_ms));
            A2H_FAULT_POINT("dispatch.3");
            return effects::audit_end(db, message, "message.acknowledged", now_ms);
        });
        return;
    }
    metrics_.send_failures.add();
    flight.more = true;  // this message itself
    const int attempts = message.attempts + 1;
    const UnixMs next_ms = now_ms + retry_delay(message.attempts, random_jitter()).count();
    log::info("A message could not be handed to the broker",
              {{"message_id", message.message_id}, {"error", result.error().message}});
    settle(message,
           [message, attempts, next_ms, now_ms, why = result.error().message](store::Database& db) {
               return store::mark_outbox_retry(db, message.id, attempts, next_ms, why, now_ms);
           });
}

void Dispatcher::settle(const OutboxMessage& message, store::Writer::Work work,
                        const std::function<void()>& written) {
    kernel_.write(store::Writer::Priority::Background, work,
                  [this, message, work, written](const Result<void>& result) {
                      if (result && written) written();
                      if (result || result.error().code == ErrorCode::NotFound ||
                          result.error().code == ErrorCode::Conflict) {
                          settled(message);
                          return;
                      }
                      // The disk refuses. Keep the row in flight; otherwise it would be sent again
                      // and again while its state cannot be written.
                      kernel_.loop.call_after(
                          std::chrono::seconds(1),
                          [this, message, work, written] { settle(message, work, written); });
                  });
}

void Dispatcher::settled(const OutboxMessage& message) {
    A2H_FAULT_POINT("dispatch.4");
    const auto found = in_flight_.find(conversation_key(message));
    const bool more = found->second.more;
    in_flight_.erase(found);
    if (more) send_next(message.agent_id, message.target_id);
    if (cut_) search_due();
}

/// For rows that were not due at `now_ms`.
void Dispatcher::schedule_wakeup(UnixMs now_ms) {
    const auto next = store::next_outbox_wakeup(kernel_.reader, now_ms);
    if (!next || !*next) return;
    if (wakeup_ != 0) kernel_.loop.cancel(wakeup_);
    wakeup_ = kernel_.loop.call_after(milliseconds(**next - now_ms), [this] {
        wakeup_ = 0;
        search_due();
    });
}

std::optional<std::chrono::steady_clock::time_point> Dispatcher::unanswered_since() const {
    std::optional<std::chrono::steady_clock::time_point> oldest;
    for (const auto& [conversation, flight] : in_flight_) {
        if (!flight.published_at) continue;
        oldest = oldest ? std::min(*oldest, *flight.published_at) : *flight.published_at;
    }
    return oldest;
}

void Dispatcher::start_expiry() {
    kernel_.loop.call_after(kExpiryInterval, [this] { expire(); });
}

void Dispatcher::expire() {
    auto count = std::make_shared<std::size_t>(0);
    kernel_.write(
        store::Writer::Priority::Grouped,
        [count, now_ms = kernel_.clock.now_ms(),
         policy = policy_of(config_)](store::Database& db) -> Result<void> {
            A2H_ASSIGN_OR_RETURN(const auto buried, bury_expired(db, now_ms, *policy));
            *count = buried;
            return {};
        },
        [this, count](const Result<void>& result) {
            if (result) metrics_.dead_letters.add(*count);
            start_expiry();
        });
}

}  // namespace a2h::mail
