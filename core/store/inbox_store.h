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

// Errors:  those of the database, besides those that a function names.
// Thread:  that of `db`.

/// The result of an insert.
///
/// Source:  docs/protocol.md, "Acceptance".
enum class InsertOutcome {
    Inserted,
    Duplicate,  ///< same sender, message id and content: nothing is stored (R1)
    /// Same sender and message id, other content (R1): the first message stays, and `insert_inbox`
    /// has recorded this one as a refused row ConflictingDuplicate.
    Conflict,
};

struct InsertResult {
    InsertOutcome outcome = InsertOutcome::Inserted;
    std::int64_t inbox_id = 0;  ///< the new row, or the existing one
};

/// The knowledge of a message's receiver about signatures.
struct SenderProof {
    /// Whether `envelope_json`, which could not be verified on arrival, is from its sender.
    std::function<bool(const std::string& envelope_json)> is_senders = {};
    std::string digest = {};  ///< of what the sender of the message has signed
};

/// Stores `message` and its pending job; both or neither. Call inside a transaction.
///
/// Nobody can take a message id from its sender: a stored message that is known to be forged, or
/// has the id of a Verified `message` and is not `is_senders`, gets another id that nobody knows
/// (R49). Without `is_senders` only forged messages do. With a `digest`, a Conflict is recorded
/// once, however often it comes.
Result<InsertResult> insert_inbox(Database& db, const InboxMessage& message,
                                  const SenderProof& proof = {});

/// The conversation of `agent_id` with `peer_id`, newest first. `page` counts from 1. Within the
/// same millisecond, our messages count as newer than received ones, and later rows as newer.
///
/// Errors:  InvalidArgument for a page below 1 or a limit outside 1 to 100.
Result<std::vector<HistoryEntry>> history(Database& db, std::string_view agent_id,
                                          std::string_view peer_id, int page, int limit);

/// The newest messages in the conversation of `message` that may be its context, without itself,
/// newest first. Forged messages are left out; for an authentic `message`, so are received messages
/// that are not authentic, and our answers to them (R49).
Result<std::vector<HistoryEntry>> context_of(Database& db, const InboxMessage& message, int limit);

/// The context of `message` as it was when it arrived.
Result<std::vector<HistoryEntry>> context_before(Database& db, const InboxMessage& message,
                                                 int limit);

/// Selects messages of the market's own agent, which is recognised by its key.
///
/// Units:   unix ms.
constexpr int kMarketMessagesMax = 500;
struct MarketMail {
    std::string_view text;              ///< in the payload
    int limit = kMarketMessagesMax;     ///< how many are returned
    UnixMs since_ms = 0;                ///< received then or later
    int read_max = kMarketMessagesMax;  ///< how many are read, the newest
};
/// The payloads of the selected messages, newest first.
Result<std::vector<std::string>> market_payloads(Database& db, std::string_view agent_id,
                                                 const MarketMail& wanted);

/// The newest messages of peers whose payload names its type; oldest first.
Result<std::vector<InboxMessage>> typed_inbox(Database& db, int limit);

Result<std::optional<InboxMessage>> get_inbox(Database& db, std::int64_t inbox_id);

/// The message of `sender_id` with that id.
Result<std::optional<InboxMessage>> find_inbox(Database& db, std::string_view agent_id,
                                               std::string_view sender_id,
                                               std::string_view message_id);

/// True if a message of `sender_id` came after the row `inbox_id`, which has `provenance`: any
/// message that is not known to be forged, but after a Verified one only an authentic one.
Result<bool> has_newer_message(Database& db, std::string_view agent_id, std::string_view sender_id,
                               std::int64_t inbox_id, Provenance provenance);

/// The messages of `sender_id` after the row `inbox_id` with at least the given `provenance` and
/// not known to be forged, oldest first, up to the first one that is not decided.
Result<std::vector<InboxMessage>> decided_after(Database& db, std::string_view agent_id,
                                                std::string_view sender_id, std::int64_t inbox_id,
                                                Provenance provenance, int limit);
/// True if according to the sender `message` was sent before another of its messages that was
/// stored earlier, because the market's history delivers what the broker has lost. Checks the
/// newest `kOrderMessagesMax` messages, if the times differ by more than clocks and delivery can
/// explain
/// (`kInOrderMs`), and counts messages with at least the same provenance.
constexpr int kOrderMessagesMax = 100;
constexpr UnixMs kInOrderMs = 1'000;
Result<bool> is_out_of_order(Database& db, const InboxMessage& message);
/// When the last authentic message of `sender_id` arrived; 0: never.
Result<UnixMs> last_heard_ms(Database& db, std::string_view agent_id, std::string_view sender_id);
/// The id of the newest row of all agents; 0 if there is none.
Result<std::int64_t> newest_inbox_id(Database& db);

/// The newest message with that id from any sender. Searches the index once for each peer, because
/// an index by message id would slow down every message.
Result<std::optional<InboxMessage>> find_inbox(Database& db, std::string_view agent_id,
                                               std::string_view message_id);

/// Stores what a look-up of the sender after the commit has found.
///
/// Errors:  NotFound.
Result<void> set_inbox_provenance(Database& db, std::int64_t inbox_id, Provenance provenance);

/// The number of other messages since `since_ms` with the sender and the payload of `message`,
/// which a rule may ignore. Authentic and unverified messages are counted separately. Counting
/// stops at `kSamePayloadMax`.
constexpr int kSamePayloadMax = 100;
Result<int> count_same_payload(Database& db, const InboxMessage& message, UnixMs since_ms);

/// The latest conversations of an agent: one entry for each peer, newest first.
struct Conversation {
    std::string peer_id;
    std::string last_text_json;  ///< payload of the newest message
    std::int64_t incoming_count = 0;
    UnixMs last_at_ms = 0;
};
Result<std::vector<Conversation>> conversations(Database& db, std::string_view agent_id, int limit);

struct InboxCounts {
    std::int64_t accepted = 0;
    std::int64_t refused =
        0;  ///< all since the beginning except conflicts, also those whose rows were deleted
    std::int64_t conflicts = 0;   ///< all since the beginning
    UnixMs last_received_ms = 0;  ///< 0 if nothing has arrived
};
Result<InboxCounts> inbox_counts(Database& db, std::string_view agent_id);

}  // namespace a2h::store
