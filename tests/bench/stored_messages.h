#pragma once

#include <cstdint>
#include <string>

#include "core/base/result.h"
#include "core/domain/message.h"
#include "core/domain/outbox.h"
#include "core/store/database.h"

namespace a2h::bench {

inline const std::string kStoredAgent = "ag_0123456789abcdefghij";

/// Number of peers of the messages below.
inline constexpr std::int64_t kPeers = 64;

std::string peer_name(std::int64_t number);
/// A question as it is stored; each number is another one. From `peer_name(number)`.
InboxMessage message_number(const std::string& agent_id, std::int64_t number);
/// The answer to it.
OutboxMessage reply_number(const std::string& agent_id, std::int64_t number);
/// The writes of a decision: the job's end, the answer and an event.
Result<void> write_effects(store::Database& db, const std::string& agent_id, std::int64_t inbox_id,
                           std::int64_t number, std::int64_t& outbox_id);
/// All that is left of a message when it has been answered and the answer was sent.
Result<void> write_answered(store::Database& db, const std::string& agent_id, std::int64_t number);

}  // namespace a2h::bench
