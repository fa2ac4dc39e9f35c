#pragma once

#include <string>
#include <utility>

#include "core/base/clock.h"
#include "core/base/ids.h"
#include "core/domain/outbox.h"

namespace a2h::test {

/// A message that a2hd sends when it starts: insert it into the outbox of a stopped a2hd.
inline OutboxMessage queued_message(std::string agent_id, std::string target_id,
                                    std::string message_type, std::string payload_json,
                                    std::string cause) {
    const UnixMs now_ms = SystemClock().now_ms();
    OutboxMessage message;
    message.agent_id = std::move(agent_id);
    message.target_id = std::move(target_id);
    message.message_id = new_message_id(now_ms);
    message.message_type = std::move(message_type);
    message.trace_id = new_trace_id(now_ms);
    message.payload_json = std::move(payload_json);
    message.cause = std::move(cause);
    message.next_attempt_ms = now_ms;
    message.expires_at_ms = now_ms + 600'000;
    message.created_at_ms = now_ms;
    message.updated_at_ms = now_ms;
    return message;
}

}  // namespace a2h::test
