#include "daemon/mail/dispatcher.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "core/base/ids.h"
#include "core/base/log.h"
#include "core/base/text.h"
#include "core/store/outbox_store.h"
#include "core/wire/envelope.h"
#include "daemon/agents/home_delivery.h"
#include "daemon/consent/door.h"
#include "daemon/effects/message_audit.h"
#include "daemon/kernel/fault_point.h"
#include "daemon/mail/dead_letter.h"
#include "daemon/mail/late_mail.h"
#include "daemon/mail/listing_look.h"
#include "daemon/mail/standing.h"

namespace a2h::mail {
namespace {

using std::chrono::milliseconds;

constexpr std::chrono::seconds kExpiryInterval{60};
constexpr std::chrono::seconds kReadRetry{1};
constexpr milliseconds kJudgedFor{1'000};
constexpr milliseconds kCanaryPoll{20};
constexpr milliseconds kUnreadPoll{500};

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

Dispatcher::Dispatcher(const kernel::Services& kernel, const Current<Config>& config,
                       kernel::Metrics& metrics, Agents& agents, const agents::Residents& residents,
                       const outcome::OwnMailTable& own_mail, const UnreadMail& unread_mail,
                       outcome::Commits& commits)
    : kernel_(kernel),
      config_(config),
      metrics_(metrics),
      agents_(agents),
      residents_(residents),
      own_mail_(own_mail),
      unread_mail_(unread_mail),
      commits_(commits) {
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

void Dispatcher::kick() {
    // Many rows may be written within one turn of the loop; one search finds them all.
    if (kick_posted_) return;
    kick_posted_ = true;
    kernel_.loop.post([this] {
        kick_posted_ = false;
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
            if (!can_send(message.agent_id, message.target_id)) continue;
            if (in_flight_.contains(conversation_key(message))) continue;
            publish(message, true);
        }
        schedule_wakeup(now_ms);
    });
}

void Dispatcher::check_again_later(const Error& error) {
    log::warning("The outbox could not be read; trying again later", {{"error", error.message}});
    kernel_.loop.call_after(kReadRetry, [this] { kick(); });
}

void Dispatcher::prepare(const OutboxMessage& message) {
    if (!can_send(message.agent_id, message.target_id) ||
        in_flight_.contains(conversation_key(message)))
        return;
    const UnixMs now_ms = kernel_.clock.now_ms();
    auto envelope =
        wire::sign_envelope(message, agents_.at(message.agent_id)->identity.account.keys, now_ms);
    if (!envelope) return;  // `publish` meets the error again
    if (prepared_.size() >= kPreparedMax) prepared_.clear();
    prepared_[message.message_id] = {std::move(*envelope), now_ms};
}

Result<std::string> Dispatcher::envelope_of(const OutboxMessage& message) {
    const UnixMs now_ms = kernel_.clock.now_ms();
    if (auto node = prepared_.extract(message.message_id)) {
        Prepared& prepared = node.mapped();
        if (now_ms - prepared.signed_at_ms < kPreparedFor.count())
            return std::move(prepared.envelope);
    }
    return wire::sign_envelope(message, agents_.at(message.agent_id)->identity.account.keys,
                               now_ms);
}

bool Dispatcher::is_at_home(const std::string& target_id) const {
    return residents_.is_ours(target_id) || residents_.is_stopped(target_id);
}

bool Dispatcher::can_send(const std::string& agent_id, const std::string& target_id) const {
    const auto agent = agents_.find(agent_id);
    return agent != agents_.end() && (agent->second->connected || is_at_home(target_id));
}

void Dispatcher::send(OutboxMessage written, store::OutboxPlace place) {
    // The search for due rows may have found it before. It is then still in flight: the writer
    // reports commits in order, so its result reaches the loop after this.
    const auto before = in_flight_.find(conversation_key(written));
    if (before != in_flight_.end()) {
        before->second.more = true;
    } else if (!place.is_next) {
        send_next(written.agent_id, written.target_id);
    } else if (can_send(written.agent_id, written.target_id)) {
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
    if (is_at_home(message.target_id)) {
        if (may_pass(message)) deliver(message);
        return;
    }
    // A broker may close the connection because of a publish to an invalid topic, after each login
    // again.
    if (!is_agent_id(message.target_id)) {
        bury(message, {GivenUp::Undeliverable, preview(message.target_id) + " is not an agent id"});
        return;
    }
    if (!was_just_judged(message) && is_judged_late(kernel_.reader, message)) {
        judge_late(message);
    } else {
        pass_to_broker(message);
    }
}

/// Messages that cross each other within `kJudgedFor` cannot be answers to each other, but an agent
/// that has connected since may have received older ones.
bool Dispatcher::was_just_judged(const OutboxMessage& message) const {
    const UnixMs age_ms = kernel_.clock.now_ms() - message.created_at_ms;
    if (message.attempts > 0 || age_ms < 0 || age_ms >= kJudgedFor.count()) return false;
    const bool has_connected_since =
        std::any_of(agents_.begin(), agents_.end(), [&](const auto& entry) {
            const auto& connection = entry.second->connection;
            return connection && connection->state().connected_since_ms >= message.created_at_ms;
        });
    return !has_connected_since && !is_about_to_read(agents_);
}

void Dispatcher::judge_late(const OutboxMessage& message) {
    const auto until = kernel_.clock.steady_now() + kReadingMax;
    if (is_of_mandate(kernel_.reader, message)) {
        read_for_mandate(message, until);
    } else {
        judge_again(message, until);
    }
}

/// Reads waiting mail first, also what the market holds, because the peer may have said something
/// that has not reached the broker.
void Dispatcher::read_for_mandate(const OutboxMessage& message,
                                  std::chrono::steady_clock::time_point until) {
    if (!can_send(message.agent_id, message.target_id)) return leave_queued(message);
    unread_mail_.read_all(UnreadMail::kReadingMax, [this, message, until](bool is_read) {
        if (is_read) return judge_again(message, until);
        if (kernel_.clock.steady_now() >= until) return bury(message, {GivenUp::Unread});
        kernel_.loop.call_after(kUnreadPoll,
                                [this, message, until] { read_for_mandate(message, until); });
    });
}

/// The message stays in flight meanwhile, so that later ones to the same peer wait behind it.
void Dispatcher::judge_again(const OutboxMessage& message,
                             std::chrono::steady_clock::time_point until) {
    // The next connection finds the row again.
    if (!can_send(message.agent_id, message.target_id)) return leave_queued(message);
    const bool is_late = kernel_.clock.steady_now() >= until;
    const bool waits_for_canary = !is_late && is_about_to_read(agents_);
    if (!waits_for_canary) {
        const auto standing =
            standing_with_receiver(kernel_.reader, agents_, message, kernel_.clock.now_ms());
        if (standing && *standing == Standing::Quiet) return look_at_listing(message);
        if (standing && *standing == Standing::Open) return bury(message, {GivenUp::Overtaken});
        if (is_late) return bury(message, {GivenUp::Unread});
    }
    kernel_.loop.call_after(waits_for_canary ? kCanaryPoll : kUnreadPoll,
                            [this, message, until] { judge_again(message, until); });
}

/// The listing is read last before a mandate continues, as for a step that is sent at once.
void Dispatcher::look_at_listing(const OutboxMessage& message) {
    const auto subject = late_subject(kernel_.reader, message);
    if (!subject) return pass_to_broker(message);
    mail::look_at_listing(kernel_, agents_.at(message.agent_id)->platform.get(), *subject,
                          [this, message](const std::string& digest) {
                              if (!can_send(message.agent_id, message.target_id))
                                  return leave_queued(message);
                              if (is_step_current(kernel_.reader, message, digest))
                                  return pass_to_broker(message);
                              bury(message, {GivenUp::ListingChanged});
                          });
}

void Dispatcher::leave_queued(const OutboxMessage& message) {
    in_flight_.erase(conversation_key(message));
}

/// Whether the row has its permit. If not, it is given up; after an error it is tried again.
bool Dispatcher::may_pass(const OutboxMessage& message) {
    const auto permitted = consent::has_permit(kernel_.reader, message);
    if (!permitted) published(message, fail(permitted.error()));
    if (permitted && !*permitted) bury(message, {GivenUp::NoPermit});
    return permitted && *permitted;
}

void Dispatcher::pass_to_broker(const OutboxMessage& message) {
    if (!may_pass(message)) return;
    auto text = envelope_of(message);
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

/// A message on its way between two mailboxes of this home.
struct Dispatcher::HandOver {
    agents::HomeDelivery delivery;
    std::function<void()> after;  ///< run by the receiving side once it is stored; may be empty
};

Result<std::shared_ptr<Dispatcher::HandOver>> Dispatcher::new_hand_over(
    const OutboxMessage& message, UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(const auto envelope, envelope_of(message));
    A2H_ASSIGN_OR_RETURN(auto made, agents::new_home_delivery(message, envelope, now_ms));
    auto handed = std::make_shared<HandOver>(HandOver{std::move(made), {}});
    const wire::KeyPair& keys = agents_.at(message.agent_id)->identity.account.keys.key_pair;
    handed->delivery.sender_role = residents_.role_of(message.agent_id);
    handed->delivery.sender_key_id = keys.key_id;
    handed->delivery.sender_public_key = keys.public_key;
    return handed;
}

/// Thread: the store writer.
Result<void> Dispatcher::hand_over(store::Database& db, HandOver& handed, UnixMs now_ms) const {
    A2H_ASSIGN_OR_RETURN(const auto delivered,
                         agents::deliver_at_home(db, handed.delivery, now_ms));
    const InboxMessage& arrival = handed.delivery.arrival;
    if (!delivered) return {};
    A2H_ASSIGN_OR_RETURN(auto taken, own_mail_.take_at_home(db, arrival));
    handed.after = std::move(taken);
    return {};
}

void Dispatcher::handed_over(const HandOver& handed) {
    metrics_.sent_at_home.add();
    if (handed.after) {
        handed.after();
    } else if (handed.delivery.arrival.id != 0) {
        commits_.delivered(handed.delivery.arrival);
    }
}

void Dispatcher::deliver(const OutboxMessage& message) {
    if (residents_.is_stopped(message.target_id)) {
        bury(message, {GivenUp::Stopped});
        return;
    }
    const UnixMs now_ms = kernel_.clock.now_ms();
    const auto made = new_hand_over(message, now_ms);
    if (!made) {
        bury(message, {GivenUp::Undeliverable, made.error().message});
        return;
    }
    kernel_.write(
        store::Writer::Priority::Urgent,
        [this, handed = *made, now_ms](store::Database& db) {
            return hand_over(db, *handed, now_ms);
        },
        [this, message, handed = *made](const Result<void>& written) {
            if (!written) {
                kernel_.loop.call_after(kReadRetry, [this, message] { deliver(message); });
                return;
            }
            handed_over(*handed);
            settled(message);
        });
}

void Dispatcher::queue(OutboxMessage message, Write write, Done done) {
    if (!residents_.is_ours(message.target_id) || in_flight_.contains(conversation_key(message))) {
        queue_only(message, std::move(write), std::move(done));
        return;
    }
    const UnixMs now_ms = kernel_.clock.now_ms();
    const auto made = new_hand_over(message, now_ms);
    if (!made) {
        done(fail(made.error()));
        return;
    }
    in_flight_[conversation_key(message)] = {0, false};
    auto older_wait = std::make_shared<bool>(false);
    kernel_.write(
        store::Writer::Priority::Urgent,
        [this, handed = *made, older_wait, write = std::move(write),
         now_ms](store::Database& db) -> Result<void> {
            A2H_ASSIGN_OR_RETURN(const auto place, write(db));
            *older_wait = !place.is_next;
            handed->delivery.message.id = place.id;
            return *older_wait ? Result<void>() : hand_over(db, *handed, now_ms);
        },
        [this, message = std::move(message), handed = *made, older_wait,
         done = std::move(done)](const Result<void>& written) {
            if (*older_wait) in_flight_[conversation_key(message)].more = true;
            if (written) handed_over(*handed);
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
    if (cut_) kick();
}

/// For rows that were not due at `now_ms`.
void Dispatcher::schedule_wakeup(UnixMs now_ms) {
    const auto next = store::next_outbox_wakeup(kernel_.reader, now_ms);
    if (!next || !*next) return;
    if (wakeup_ != 0) kernel_.loop.cancel(wakeup_);
    wakeup_ = kernel_.loop.call_after(milliseconds(**next - now_ms), [this] {
        wakeup_ = 0;
        kick();
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
