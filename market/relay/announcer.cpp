#include "market/relay/announcer.h"

#include "core/base/log.h"
#include "core/wire/envelope.h"
#include "market/broker/access.h"
#include "market/store/message_store.h"

namespace a2h::market {
namespace {

/// Events that are read at once: more than may be in flight, because several may be for one target.
constexpr std::int64_t kWindow = 512;

Result<std::string> to_envelope(const Event& event, const OwnAgent& own, UnixMs now_ms) {
    const OutboxMessage message{.agent_id = own.sender_id(),
                                .target_id = event.target_id,
                                .message_id = event.message_id,
                                .message_type = std::string(kEventMessageType),
                                .trace_id = event.trace_id,
                                .payload_json = event.payload_json,
                                .effect_key = {},
                                .cause = {},
                                .last_error = {}};
    const wire::SigningKeys keys{own.agent.agent_key,
                                 {own.agent.key_id, own.agent.public_key, own.secret_key}};
    return wire::sign_envelope(message, keys, now_ms);
}

}  // namespace

Announcer::Announcer(db::Database& database, const Clock& clock, const OwnAgent& own,
                     Publish publish, std::function<void()> wake)
    : database_(database),
      clock_(clock),
      own_(own),
      publish_(std::move(publish)),
      wake_(std::move(wake)) {}

Result<void> Announcer::round(bool connected) {
    take_outcomes();
    A2H_TRY(settle());
    return connected ? publish_waiting() : Result<void>();
}

void Announcer::take_outcomes() {
    const auto outcomes = outcomes_.with([](auto& list) { return std::exchange(list, {}); });
    for (const Outcome& outcome : outcomes) {
        const auto found = in_flight_.find(outcome.event_id);
        if (outcome.acknowledged) {
            acknowledged_.push_back(outcome.event_id);
        } else {
            // It stays queued; a later round reads it again.
            busy_targets_.erase(found->second.event.target_id);
            in_flight_.erase(found);
        }
    }
}

Result<void> Announcer::settle() {
    if (acknowledged_.empty()) return {};
    A2H_TRY(database_.write(
        [&](db::Transaction& transaction) { return keep_acknowledged(transaction); }));
    for (const std::int64_t event_id : acknowledged_) {
        const auto found = in_flight_.find(event_id);
        busy_targets_.erase(found->second.event.target_id);
        in_flight_.erase(found);
        ++sent_;
    }
    acknowledged_.clear();
    return {};
}

Result<void> Announcer::keep_acknowledged(db::Transaction& transaction) const {
    for (const std::int64_t event_id : acknowledged_) {
        const Sent& sent = in_flight_.at(event_id);
        A2H_TRY(store::delete_event(transaction, event_id));
        if (sent.envelope.empty()) continue;
        A2H_TRY(store::record_message(transaction, {.sender_id = own_.agent.agent_id,
                                                    .target_id = sent.event.target_id,
                                                    .message_id = sent.event.message_id,
                                                    .trace_id = sent.event.trace_id,
                                                    .envelope_json = sent.envelope,
                                                    .recorded_at_ms = clock_.now_ms()}));
    }
    return {};
}

Result<void> Announcer::publish_waiting() {
    if (in_flight_.size() >= kInFlightMax) return {};
    A2H_ASSIGN_OR_RETURN(const auto waiting, database_.read_with(store::oldest_events, kWindow));
    for (const Event& event : waiting) {
        if (in_flight_.size() >= kInFlightMax) break;
        if (busy_targets_.contains(event.target_id)) continue;
        publish(event);
    }
    return {};
}

void Announcer::publish(const Event& event) {
    busy_targets_.insert(event.target_id);
    auto envelope = to_envelope(event, own_, clock_.now_ms());
    if (!envelope) {
        log::error("An event cannot be sent and is dropped",
                   {{"message_id", event.message_id}, {"reason", envelope.error().message}});
        in_flight_.emplace(event.event_id, Sent{event, {}});
        acknowledged_.push_back(event.event_id);
        return;
    }
    in_flight_.emplace(event.event_id, Sent{event, *envelope});
    publish_(receive_topic(event.target_id), std::move(*envelope),
             [this, event_id = event.event_id](const Result<void>& result) {
                 const bool acknowledged = result.has_value();
                 outcomes_.with([&](auto& list) { list.push_back({event_id, acknowledged}); });
                 // A failure waits for the next regular round, because it is not urgent.
                 if (acknowledged) wake_();
             });
}

}  // namespace a2h::market
