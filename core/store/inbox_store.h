#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/domain/message.h"
#include "core/store/database.h"

namespace a2h::store {

/// What `insert` found. Source: docs/protocol.md, "Acceptance".
enum class InsertOutcome {
    Inserted,
    Duplicate,  ///< same sender and message id, same content: nothing stored (R1)
    /// Same sender and message id, other content (R1): the first stands; `insert_inbox` has
    /// recorded this one as a refused row ConflictingDuplicate already.
    Conflict,
};

struct InsertResult {
    InsertOutcome outcome = InsertOutcome::Inserted;
    std::int64_t inbox_id = 0;  ///< the new row, or the row that stands
};

/// Whether `envelope_json`, which nobody could check when it came, is the sender's own.
using IsSenders = std::function<bool(const std::string& envelope_json)>;

/// Stores `message` and its pending job; both or neither. Call inside a transaction.
///
/// Nobody takes a message id away from its sender: what is known to be forged, or came under the id
/// of a Verified `message` and is not `is_senders`, steps aside. It stays stored, under an id that
/// nobody knows (R49). Without `is_senders` nothing but what is forged does.
Result<InsertResult> insert_inbox(Database& db, const InboxMessage& message,
                                  const IsSenders& is_senders = {});

/// Keeps at most `kRefusedRowsMax` rows per agent, oldest go first, and counts all by reason.
constexpr std::int64_t kRefusedRowsMax = 1'000;
Result<void> insert_refused(Database& db, const RefusedMessage& refused);
/// Newest first; ids count up an agent.
Result<std::vector<RefusedMessage>> list_refused(Database& db, std::string_view agent_id,
                                                 int limit);

/// The conversation of `agent_id` with `peer_id`, newest first. `page` counts from 1.
/// In one millisecond what we sent counts as newer than what came, and later rows as newer.
/// Errors: InvalidArgument for a page below 1 and a limit outside 1 to 100.
Result<std::vector<HistoryEntry>> history(Database& db, std::string_view agent_id,
                                          std::string_view peer_id, int page, int limit);

/// The newest of the conversation of `message` that may be its context, without itself, newest
/// first: beside an authentic message nothing that came in is in another's name (R49), and nothing
/// forged is anywhere.
Result<std::vector<HistoryEntry>> context_of(Database& db, const InboxMessage& message, int limit);

/// The same as it was when `message` came.
Result<std::vector<HistoryEntry>> context_before(Database& db, const InboxMessage& message,
                                                 int limit);

/// Payloads of the newest messages that the market itself sent and that hold `text`, newest first.
/// Looks at the last `kMarketMessagesMax` of the market's, whoever it is: its key decides.
constexpr int kMarketMessagesMax = 500;
Result<std::vector<std::string>> market_payloads(Database& db, std::string_view agent_id,
                                                 std::string_view text, int limit);

Result<std::optional<InboxMessage>> get_inbox(Database& db, std::int64_t inbox_id);

/// The message of `sender_id` with that id.
Result<std::optional<InboxMessage>> find_inbox(Database& db, std::string_view agent_id,
                                               std::string_view sender_id,
                                               std::string_view message_id);

/// True when a message of `sender_id` came after the row `inbox_id`, which came with `provenance`:
/// any that is not known to be forged, and after a Verified one only what is authentic, too.
Result<bool> has_newer_message(Database& db, std::string_view agent_id, std::string_view sender_id,
                               std::int64_t inbox_id, Provenance provenance);

/// What came of `sender_id` after the row `inbox_id`, at least as surely its own as `provenance`
/// says and not known to be forged, oldest first, as far as every message of it has been decided.
Result<std::vector<InboxMessage>> decided_after(Database& db, std::string_view agent_id,
                                                std::string_view sender_id, std::int64_t inbox_id,
                                                Provenance provenance, int limit);
/// True when the sender says that it has sent `message` before another one of its messages that was
/// stored earlier: the market's history brings what the broker has lost. Looks at the newest
/// `kOrderLooked` messages, and only where the two clocks or the way of the message leave room for
/// it (`kInOrderMs`); counts what is at least as surely the sender's own.
constexpr int kOrderLooked = 100;
constexpr UnixMs kInOrderMs = 1'000;
Result<bool> is_out_of_order(Database& db, const InboxMessage& message);
/// The newest row of all; 0: there is none.
Result<std::int64_t> newest_inbox_id(Database& db);

/// The newest message with that id, whoever sent it: one look into the index a peer, because an
/// index by message id would cost every message something.
Result<std::optional<InboxMessage>> find_inbox(Database& db, std::string_view agent_id,
                                               std::string_view message_id);

/// What a look-up after the commit found out about the sender. Errors: NotFound.
Result<void> set_inbox_provenance(Database& db, std::int64_t inbox_id, Provenance provenance);

/// Other messages since `since_ms` with the sender and the payload of `message`: the repeats that a
/// rule may silence. Authentic messages count among themselves, and so do those that nobody could
/// check. Counting stops at `kSamePayloadMax`.
constexpr int kSamePayloadMax = 100;
Result<int> count_same_payload(Database& db, const InboxMessage& message, UnixMs since_ms);

/// Latest conversations of an agent: one entry a peer, newest first.
struct Conversation {
    std::string peer_id;
    std::string last_text_json;  ///< payload of the newest message
    std::int64_t incoming_count = 0;
    UnixMs last_at_ms = 0;
};
Result<std::vector<Conversation>> conversations(Database& db, std::string_view agent_id, int limit);

struct InboxCounts {
    std::int64_t accepted = 0;
    std::int64_t refused = 0;     ///< all ever but conflicts, also those whose rows are gone
    std::int64_t conflicts = 0;   ///< all ever
    UnixMs last_received_ms = 0;  ///< 0 when nothing ever came
};
Result<InboxCounts> inbox_counts(Database& db, std::string_view agent_id);

/// (reason, count) of everything ever refused, by name of the reason.
Result<std::vector<std::pair<std::string, std::int64_t>>> refused_by_reason(
    Database& db, std::string_view agent_id);

}  // namespace a2h::store
