#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "market/db/database.h"

namespace a2h::market {

/// A queued message of the market's own agent that notifies an agent of a change.
struct Event {
    std::int64_t event_id = 0;
    std::string target_id;
    std::string message_id;  ///< fixed here, so that the receiver recognises a duplicate
    std::string trace_id;
    std::string payload_json;
    UnixMs created_at_ms = 0;
};

/// The message type of all events.
///
/// Source:  docs/protocol.md, "Events of the market".
inline constexpr std::string_view kEventMessageType = "a2h.event";
/// Leaves room for the envelope around it.
inline constexpr std::size_t kEventPayloadBytesMax = 60 * 1024;

}  // namespace a2h::market

namespace a2h::market::store {

// Errors:  those of `db::Transaction`, besides those that a function names.
// Thread:  that of the transaction.

/// Queues one message to `target_agent_id`, which is sent over MQTT once the transaction is
/// committed, so that a change and its notification are one transaction. Sent at least once, for
/// each target in the order of the calls, also if the broker or the market was unavailable in the
/// meantime.
///
/// `payload_json` is the text of a JSON object with `type` (such as "order.event") and `text` (one
/// English sentence that old clients show); `text` must not contain words of a peer.
///
/// Errors:  InvalidArgument if it exceeds `kEventPayloadBytesMax`; Conflict if there is no such
///          agent.
/// Source:  docs/protocol.md, "Events of the market".
Result<void> announce(db::Transaction& transaction, std::string_view target_agent_id,
                      std::string_view payload_json, UnixMs now_ms);

/// The oldest event of each target, the oldest first, so that many events for one target delay no
/// other.
Result<std::vector<Event>> oldest_events(db::Transaction& transaction, std::int64_t limit);
/// Ids of the events that wait for a target; both 0 if there are none.
struct WaitingEvents {
    std::int64_t oldest = 0;
    std::int64_t newest = 0;
};
Result<WaitingEvents> waiting_events(db::Transaction& transaction, std::string_view target_id);
Result<void> delete_event(db::Transaction& transaction, std::int64_t event_id);
Result<std::int64_t> count_events(db::Transaction& transaction);

}  // namespace a2h::market::store
