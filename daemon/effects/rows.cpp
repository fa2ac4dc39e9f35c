#include "daemon/effects/rows.h"

#include <utility>

#include "core/base/ids.h"
#include "core/wire/canonical.h"
#include "core/wire/message_types.h"

namespace a2h::effects {

OutboxMessage new_outbox_message(std::string_view agent_id, std::string_view target_id,
                                 std::string payload_json, std::string_view trace_id,
                                 std::string_view cause, UnixMs now_ms) {
    OutboxMessage message;
    message.agent_id = agent_id;
    message.target_id = target_id;
    message.message_id = new_message_id(now_ms);
    message.message_type = wire::kChatMessageType;
    message.trace_id = is_wordless_id(trace_id) ? std::string(trace_id) : new_trace_id(now_ms);
    message.payload_json = std::move(payload_json);
    message.cause = cause;
    message.next_attempt_ms = now_ms;
    message.expires_at_ms = now_ms + kOutboxLifetimeMs;
    message.created_at_ms = now_ms;
    message.updated_at_ms = now_ms;
    return message;
}

OutboxMessage new_mail(std::string_view agent_id, std::string_view target_id,
                       std::string_view message_type, const nlohmann::json& payload,
                       std::string_view cause, UnixMs now_ms) {
    OutboxMessage message =
        new_outbox_message(agent_id, target_id, wire::canonical_json(payload), {}, cause, now_ms);
    message.message_type = message_type;
    return message;
}

Event new_event(std::string_view agent_id, std::string_view kind, std::string_view subject,
                std::string detail_json, UnixMs now_ms) {
    return Event{.id = 0,
                 .agent_id = std::string(agent_id),
                 .kind = std::string(kind),
                 .subject = std::string(subject),
                 .detail_json = std::move(detail_json),
                 .created_at_ms = now_ms};
}

}  // namespace a2h::effects
