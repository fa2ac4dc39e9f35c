#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "market/db/database.h"

namespace a2h::market {

/// A message between two agents as the broker carried it, signed by its sender.
struct RecordedMessage {
    std::string sender_id;
    std::string target_id;
    std::string message_id;
    std::string trace_id;
    std::string envelope_json;  ///< the envelope's text as published
    UnixMs recorded_at_ms = 0;
    std::string digest = {};  ///< of what was signed, for this receiver; not read back
};

/// The earliest time of messages that are kept and shown, if they are `kept` for this long; 0: for
/// ever.
constexpr UnixMs kept_since(UnixMs now_ms, std::chrono::hours kept) {
    return kept.count() == 0 ? 0 : now_ms - std::chrono::milliseconds(kept).count();
}

struct MessagePage {
    std::int64_t total = 0;
    std::vector<RecordedMessage> messages;
};

/// A part of the messages to one agent. A position is after a message of the record; 0: before all.
struct IncomingPage {
    std::vector<RecordedMessage> messages{};
    std::int64_t after = 0;  ///< the position after the last one
    bool more = false;
};

}  // namespace a2h::market

namespace a2h::market::store {

// Errors:  those of `db::Transaction`, besides those that a function names.
// Thread:  that of the transaction.

/// Records a message in the session of its two agents, or apart if its sender has used its id
/// before for another message (R1). A message to an agent that does not exist is dropped.
Result<void> record_message(db::Transaction& transaction, const RecordedMessage& message);

/// Records a message that counts as said but is no part of a conversation's history. It belongs to
/// no session and gets an id of the market's, `apart_` and a digest; the same message is recorded
/// once for each receiver.
Result<void> record_apart(db::Transaction& transaction, const RecordedMessage& message);

/// The messages of the two agents of `session_id` (R5) since `since_ms`, newest first in the order
/// of recording, so pages never overlap.
Result<MessagePage> list_messages(db::Transaction& transaction, std::string_view session_id,
                                  UnixMs since_ms, std::int64_t offset, std::int64_t limit);

/// All messages to `target_id` since `since_ms`, oldest first in the order of recording, after the
/// position `after`; a position beyond the end of the record (after a market has lost its database)
/// counts as 0. At most `limit` messages, and none after `kIncomingBytesMax` of them.
constexpr std::size_t kIncomingBytesMax = 1024 * 1024;
Result<IncomingPage> list_incoming(db::Transaction& transaction, std::string_view target_id,
                                   std::int64_t after, UnixMs since_ms, std::int64_t limit);

/// Deletes up to `limit` messages that were recorded before `before_ms` and returns their number.
Result<std::int64_t> delete_messages(db::Transaction& transaction, UnixMs before_ms,
                                     std::int64_t limit);

}  // namespace a2h::market::store
