#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/base/clock.h"
#include "core/domain/notification.h"
#include "core/domain/outbox.h"

namespace a2h::effects {

/// How long delivery of any message is tried (R6).
constexpr std::int64_t kOutboxLifetimeMs = 3LL * 24 * 3600 * 1000;

/// An outbox row for one of our texts, ready to be queued. A `trace_id` that is empty, or could be
/// words of a peer (R47), is replaced by a new one.
OutboxMessage new_outbox_message(std::string_view agent_id, std::string_view target_id,
                                 std::string payload_json, std::string_view trace_id,
                                 std::string_view cause, UnixMs now_ms);

/// The same for a message of another type, whose payload is an object. It begins a trace.
OutboxMessage new_mail(std::string_view agent_id, std::string_view target_id,
                       std::string_view message_type, const nlohmann::json& payload,
                       std::string_view cause, UnixMs now_ms);

/// An event whose detail is `detail_json` (an object).
Event new_event(std::string_view agent_id, std::string_view kind, std::string_view subject,
                std::string detail_json, UnixMs now_ms);

}  // namespace a2h::effects
