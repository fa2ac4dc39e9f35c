#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "market/db/database.h"

namespace a2h::market {

/// A message of the market's own agent that still has to be sent: what tells an agent of a move.
struct Event {
    std::int64_t event_id = 0;
    std::string target_id;
    std::string message_id;  ///< fixed here, so that one sent twice is a duplicate to its receiver
    std::string trace_id;
    std::string payload_json;
    UnixMs created_at_ms = 0;
};

/// Of every event's envelope. Source: docs/protocol.md, "Events of the market".
inline constexpr std::string_view kEventMessageType = "a2h.event";
/// Leaves room for the envelope around it.
inline constexpr std::size_t kEventPayloadBytesMax = 60 * 1024;

}  // namespace a2h::market

namespace a2h::market::store {

/// Queues one message to `target_agent_id`, to be sent over MQTT once the transaction is committed:
/// the move and what tells of it are one transaction. Sent at least once, in the order of the calls
/// for one target, and also when the broker or the market was away meanwhile.
///
/// `payload_json` is the text of a JSON object with `type` (such as "order.event") and `text` (one
/// English sentence that old clients show), without texts that a peer wrote in `text`.
///
/// Errors:  InvalidArgument when it is over `kEventPayloadBytesMax`; Conflict when there is no such
///          agent.
/// Source:  docs/protocol.md, "Events of the market".
Result<void> announce(db::Transaction& transaction, std::string_view target_agent_id,
                      std::string_view payload_json, UnixMs now_ms);

/// The oldest, in the order in which they were queued.
Result<std::vector<Event>> oldest_events(db::Transaction& transaction, std::int64_t limit);
Result<void> delete_event(db::Transaction& transaction, std::int64_t event_id);
Result<std::int64_t> count_events(db::Transaction& transaction);

}  // namespace a2h::market::store
