#include "daemon/pipeline/dispatcher.h"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/ids.h"
#include "core/base/log.h"
#include "core/store/event_store.h"
#include "core/store/outbox_store.h"
#include "core/wire/canonical.h"
#include "core/wire/envelope.h"
#include "daemon/approvals/approvals.h"
#include "daemon/pipeline/effects.h"
#include "daemon/pipeline/message_audit.h"

namespace a2h::pipeline {
namespace {

using std::chrono::milliseconds;

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

/// Dead letters with their events and notifications, in the writer's transaction.
Result<void> bury_expired(store::Database& db, UnixMs now_ms, const approvals::Policy& policy) {
    const auto dead = store::expire_outbox(db, now_ms);
    if (!dead) return fail(dead.error());
    for (const OutboxMessage& message : *dead) {
        const nlohmann::json body{{"peer_id", message.target_id},
                                  {"message_id", message.message_id}};
        const std::string body_json = wire::canonical_json(body);
        const auto event = store::insert_event(
            db, new_event(message.agent_id, "outbox.dead", message.message_id, body_json, now_ms));
        if (!event) return fail(event.error());
        Notification news;
        news.agent_id = message.agent_id;
        news.kind = "outbox.dead";
        news.body_json = body_json;
        A2H_TRY(approvals::notify_human(db, news, policy, now_ms));
        A2H_TRY(audit_end(db, message, "message.given_up", now_ms));
    }
    return {};
}

}  // namespace

Dispatcher::Dispatcher(const Context& context, Agents& agents)
    : context_(context), agents_(agents) {}

milliseconds Dispatcher::retry_delay(int attempts, double jitter) {
    constexpr int kDoublingsMax = 6;
    const int doublings = std::min(attempts, kDoublingsMax);
    const double seconds = std::min(120.0, 2.0 * static_cast<double>(1 << doublings));
    return milliseconds(static_cast<std::int64_t>(seconds * 1000.0 * (1.0 + 0.2 * jitter)));
}

void Dispatcher::kick() {
    // Many rows may be written within one turn of the loop; one look finds them all.
    if (kick_posted_) return;
    kick_posted_ = true;
    context_.loop.post([this] {
        kick_posted_ = false;
        const UnixMs now_ms = context_.clock.now_ms();
        const auto due = store::due_outbox(context_.reader, now_ms, static_cast<int>(kBatchMax));
        if (!due) {
            look_again_later(due.error());
            return;
        }
        cut_ = due->size() == kBatchMax;
        // What was written behind those in flight is not among the oldest of their peers.
        for (auto& [conversation, flight] : in_flight_)
            flight.more = true;
        for (const OutboxMessage& message : *due) {
            if (!can_send(message.agent_id)) continue;
            if (in_flight_.contains(conversation_key(message))) continue;
            publish(message, true);
        }
        schedule_wakeup(now_ms);
    });
}

void Dispatcher::look_again_later(const Error& error) {
    log::warning("The outbox could not be read", {{"error", error.message}});
    context_.loop.call_after(kReadRetry, [this] { kick(); });
}

void Dispatcher::prepare(const OutboxMessage& message) {
    if (!can_send(message.agent_id) || in_flight_.contains(conversation_key(message))) return;
    const UnixMs now_ms = context_.clock.now_ms();
    auto envelope =
        wire::sign_envelope(message, agents_.at(message.agent_id)->identity.account.keys, now_ms);
    if (!envelope) return;  // `publish` meets the error again
    if (prepared_.size() >= kPreparedMax) prepared_.clear();
    prepared_[message.message_id] = {std::move(*envelope), now_ms};
}

Result<std::string> Dispatcher::envelope_of(const OutboxMessage& message) {
    const UnixMs now_ms = context_.clock.now_ms();
    if (auto node = prepared_.extract(message.message_id)) {
        Prepared& prepared = node.mapped();
        if (now_ms - prepared.signed_at_ms < kPreparedFor.count())
            return std::move(prepared.envelope);
    }
    return wire::sign_envelope(message, agents_.at(message.agent_id)->identity.account.keys,
                               now_ms);
}

bool Dispatcher::can_send(const std::string& agent_id) const {
    const auto agent = agents_.find(agent_id);
    return agent != agents_.end() && agent->second->connected;
}

void Dispatcher::send(OutboxMessage written, store::OutboxPlace place) {
    // A look may have found it before. Then it is still in flight: the writer tells of commits in
    // order, so what settles it comes to the loop after this.
    const auto before = in_flight_.find(conversation_key(written));
    if (before != in_flight_.end()) {
        before->second.more = true;
    } else if (!place.is_next) {
        send_next(written.agent_id, written.target_id);
    } else if (can_send(written.agent_id)) {
        written.id = place.id;
        publish(written, false);
    }
}

void Dispatcher::send_next(const std::string& agent_id, const std::string& target_id) {
    if (!can_send(agent_id)) return;
    const auto next = store::next_outbox_of_peer(context_.reader, agent_id, target_id);
    if (!next) {
        look_again_later(next.error());
        return;
    }
    if (!*next) return;
    const UnixMs now_ms = context_.clock.now_ms();
    if ((*next)->next_attempt_ms <= now_ms) {
        publish(**next, true);
    } else {
        schedule_wakeup(now_ms);
    }
}

void Dispatcher::publish(const OutboxMessage& message, bool more) {
    in_flight_[conversation_key(message)] = {message.id, more};
    auto text = envelope_of(message);
    if (!text) {
        published(message, fail(text.error()));
        return;
    }
    agents_.at(message.agent_id)
        ->connection->publish(mqtt::receive_topic(message.target_id), std::move(*text),
                              [this, message](Result<void> result) {
                                  context_.loop.post([this, message, result = std::move(result)] {
                                      published(message, result);
                                  });
                              });
}

void Dispatcher::published(const OutboxMessage& message, const Result<void>& result) {
    const UnixMs now_ms = context_.clock.now_ms();
    if (result) {
        settle(message, [message, now_ms](store::Database& db) -> Result<void> {
            A2H_TRY(store::mark_outbox_sent(db, message.id, now_ms));
            return audit_end(db, message, "message.acknowledged", now_ms);
        });
        return;
    }
    in_flight_[conversation_key(message)].more = true;  // itself
    const int attempts = message.attempts + 1;
    const UnixMs next_ms = now_ms + retry_delay(message.attempts, random_jitter()).count();
    log::info("A message could not be handed to the broker",
              {{"message", message.message_id}, {"error", result.error().message}});
    settle(message,
           [message, attempts, next_ms, now_ms, why = result.error().message](store::Database& db) {
               return store::mark_outbox_retry(db, message.id, attempts, next_ms, why, now_ms);
           });
}

void Dispatcher::settle(const OutboxMessage& message, store::Writer::Work work) {
    context_.write(store::Writer::Priority::Background, work,
                   [this, message, work](const Result<void>& written) {
                       if (written || written.error().code == ErrorCode::NotFound ||
                           written.error().code == ErrorCode::Conflict) {
                           settled(message);
                           return;
                       }
                       // The disk refuses: keep the row in flight, or it would be sent again and
                       // again while the state cannot be written.
                       context_.loop.call_after(std::chrono::seconds(1),
                                                [this, message, work] { settle(message, work); });
                   });
}

void Dispatcher::settled(const OutboxMessage& message) {
    const auto found = in_flight_.find(conversation_key(message));
    const bool more = found->second.more;
    in_flight_.erase(found);
    if (more) send_next(message.agent_id, message.target_id);
    if (cut_) kick();
}

/// For what was not due at `now_ms`.
void Dispatcher::schedule_wakeup(UnixMs now_ms) {
    const auto next = store::next_outbox_wakeup(context_.reader, now_ms);
    if (!next || !*next) return;
    if (wakeup_ != 0) context_.loop.cancel(wakeup_);
    wakeup_ = context_.loop.call_after(milliseconds(**next - now_ms), [this] {
        wakeup_ = 0;
        kick();
    });
}

void Dispatcher::start_expiry() {
    context_.loop.call_after(kExpiryInterval, [this] { expire(); });
}

void Dispatcher::expire() {
    context_.write(
        store::Writer::Priority::Grouped,
        [now_ms = context_.clock.now_ms(), &policy = context_.config.approval](
            store::Database& db) { return bury_expired(db, now_ms, policy); },
        [this](const Result<void>&) { start_expiry(); });
}

}  // namespace a2h::pipeline
