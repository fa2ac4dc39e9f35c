#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/clock.h"
#include "core/domain/permit.h"

namespace a2h {

/// Queued → Sent (the broker acknowledged) → Delivered (the peer's receipt arrived). Dead: its
/// lifetime has ended. Dropped: an owner gave it up. Held: it was queued in a restored backup, so
/// it may have been sent since, and its owner decides. Dead and held rows can be queued again.
enum class OutboxState { Queued, Sent, Delivered, Dead, Dropped, Held };
std::string_view to_string(OutboxState value);
std::optional<OutboxState> parse_outbox_state(std::string_view text);

/// An outgoing message. It is signed when it is sent; `message_id` never changes (R6).
struct OutboxMessage {
    std::int64_t id = 0;
    std::string agent_id;
    std::string target_id;
    std::string message_id;
    std::string message_type;
    std::string trace_id;
    std::string payload_json;  ///< canonical JSON text of an object
    std::string effect_key;    ///< unique: a second insert with the same key has no effect
    /// "rule:<id>", "approval:<id>", "tool:<name>" and others: daemon/consent/causes.cpp.
    std::string cause;
    OutboxState state = OutboxState::Queued;
    int attempts = 0;
    UnixMs next_attempt_ms = 0;
    UnixMs expires_at_ms = 0;
    std::string last_error;
    UnixMs created_at_ms = 0;
    UnixMs updated_at_ms = 0;
    // The permit, as `store::insert_outbox` wrote it.
    Right permit_right = Right::None;
    std::string permitted_by{};
    std::string permit_digest{};
    /// The judge's verdict, for causes that need one; not stored.
    std::optional<Judged> judged{};
};

}  // namespace a2h
