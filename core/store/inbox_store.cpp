#include "core/store/inbox_store.h"

#include <algorithm>
#include <cstdlib>

#include "core/base/text.h"
#include "core/sql/text_list.h"
#include "core/store/open_matter_store.h"
#include "core/store/refused_store.h"
#include "core/store/statement.h"

namespace a2h::store {
namespace {

constexpr int kHistoryLimitMax = 100;
/// How many entries the preview of a conversation skips at most to find one that is not forged.
constexpr int kPreviewedEntriesMax = 5;

/// The properties that make two messages with the same id the same message (R1). The target is the
/// mailbox itself.
struct Standing {
    std::int64_t id = 0;
    std::string message_type;
    std::string payload_hash;
    Provenance provenance = Provenance::Unverified;
    std::string envelope_json;
    UnixMs received_at_ms = 0;
};

constexpr auto kInbox = sql::table<InboxMessage>(
    "inbox",
    A2H_COLUMNS(InboxMessage, id, agent_id, sender_id, message_id, message_type, trace_id,
                payload_json, payload_hash, envelope_json, sent_at_ms, received_at_ms),
    sql::column("provenance", &InboxMessage::provenance, parse_provenance),
    sql::column("source", &InboxMessage::source, parse_source_class));

constexpr auto kStanding = sql::table<Standing>(
    "inbox", A2H_COLUMNS(Standing, id, message_type, payload_hash, envelope_json, received_at_ms),
    sql::column("provenance", &Standing::provenance, parse_provenance));

Result<void> insert_job(Database& db, std::int64_t inbox_id, const InboxMessage& message) {
    static constexpr const char* kSql =
        "insert into job (inbox_id, agent_id, peer_id, state, created_at_ms, updated_at_ms) "
        "values (?1, ?2, ?3, 'pending', ?4, ?4)";
    return db.statement(kSql).run(inbox_id, message.agent_id, message.sender_id,
                                  message.received_at_ms);
}

Result<void> count_incoming(Database& db, const InboxMessage& message) {
    static constexpr const char* kSql =
        "insert into conversation values (?1, ?2, 1, 0, ?3, ?3) on conflict do update set "
        "incoming_count = incoming_count + 1, last_received_ms = max(last_received_ms, ?3), "
        "last_at_ms = max(last_at_ms, ?3)";
    return db.statement(kSql).run(message.agent_id, message.sender_id, message.received_at_ms);
}

Result<void> record_conflict(Database& db, const InboxMessage& message, const Standing& first,
                             const std::string& digest) {
    RefusedMessage refused;
    refused.agent_id = message.agent_id;
    refused.claimed_sender = message.sender_id;
    refused.reason = Refusal::ConflictingDuplicate;
    refused.detail =
        preview(message.message_id + " came again as " + message.message_type +
                " with payload hash " + message.payload_hash.substr(0, 16) + "; the first was " +
                first.message_type + " with " + first.payload_hash.substr(0, 16));
    refused.size_bytes = static_cast<std::int64_t>(message.envelope_json.size());
    refused.received_at_ms = message.received_at_ms;
    refused.provenance = message.provenance;
    refused.digest = digest;
    return insert_refused(db, refused);
}

Result<Standing> find_standing(Database& db, const InboxMessage& message) {
    static const std::string kSql =
        kStanding.select("where agent_id = ? and sender_id = ? and message_id = ?");
    A2H_ASSIGN_OR_RETURN(auto first,
                         db.statement(kSql).first(kStanding, message.agent_id, message.sender_id,
                                                  message.message_id));
    A2H_CHECK(first.has_value());
    return std::move(*first);
}

/// Whether the first message with this id belongs to another sender.
bool is_anothers(const Standing& standing, const InboxMessage& message, const SenderProof& proof) {
    if (standing.envelope_json == message.envelope_json) return false;
    if (standing.provenance == Provenance::Forged) return true;
    return message.provenance == Provenance::Verified && !is_authentic(standing.provenance) &&
           proof.is_senders && !proof.is_senders(standing.envelope_json);
}

/// The new id cannot be known to any sender.
Result<void> set_aside(Database& db, std::int64_t inbox_id) {
    static constexpr const char* kSql =
        "update inbox set message_id = message_id || ' ' || lower(hex(randomblob(16))) "
        "where id = ?";
    return db.statement(kSql).run(inbox_id);
}

/// A message that its sender has signed anew after we have answered it counts as a new message.
Result<bool> is_said_again(Database& db, const InboxMessage& message, const Standing& standing) {
    if (!is_authentic(message.provenance) || standing.envelope_json == message.envelope_json)
        return false;
    return was_released_since(db, message.agent_id, message.sender_id, standing.received_at_ms,
                              Yes::ToAnything);
}

Result<InsertResult> judge_repeat(Database& db, const InboxMessage& message,
                                  const Standing& standing, const std::string& digest) {
    if (standing.message_type == message.message_type &&
        standing.payload_hash == message.payload_hash) {
        A2H_ASSIGN_OR_RETURN(const bool is_again, is_said_again(db, message, standing));
        if (!is_again) return InsertResult{InsertOutcome::Duplicate, standing.id};
    }
    A2H_TRY(record_conflict(db, message, standing, digest));
    return InsertResult{InsertOutcome::Conflict, standing.id};
}

HistoryEntry read_history(Row& row) {
    HistoryEntry entry;
    entry.at_ms = row.integer(0);
    entry.incoming = row.integer(1) == 0;
    entry.message_id = row.text(3);
    entry.sender_id = row.text(4);
    entry.target_id = row.text(5);
    entry.message_type = row.text(6);
    entry.payload_json = row.text(7);
    if (entry.incoming) entry.provenance = row.name(8, parse_provenance);
    if (!entry.incoming) entry.outbox_state = row.text(8);
    return entry;
}

/// nullopt: there is already a message with its sender and id.
Result<std::optional<InsertResult>> try_to_insert(Database& db, const InboxMessage& message) {
    static constexpr auto kNew = sql::without<kInbox, &InboxMessage::id>();
    static const std::string kSql =
        kNew.insert("on conflict (agent_id, sender_id, message_id) do nothing");
    Statement& insert = db.statement(kSql);
    A2H_TRY(insert.put(kNew, message));
    if (insert.changes() == 0) return std::optional<InsertResult>();
    const std::int64_t id = insert.last_id();
    A2H_TRY(insert_job(db, id, message));
    A2H_TRY(count_incoming(db, message));
    return std::optional(InsertResult{InsertOutcome::Inserted, id});
}

}  // namespace

Result<InsertResult> insert_inbox(Database& db, const InboxMessage& message,
                                  const SenderProof& proof) {
    A2H_ASSIGN_OR_RETURN(const auto inserted, try_to_insert(db, message));
    if (inserted) return *inserted;
    A2H_ASSIGN_OR_RETURN(const auto standing, find_standing(db, message));
    if (!is_anothers(standing, message, proof))
        return judge_repeat(db, message, standing, proof.digest);
    A2H_TRY(set_aside(db, standing.id));
    A2H_ASSIGN_OR_RETURN(const auto alone, try_to_insert(db, message));
    A2H_CHECK(alone.has_value());
    return *alone;
}

Result<std::vector<HistoryEntry>> history(Database& db, std::string_view agent_id,
                                          std::string_view peer_id, int page, int limit) {
    // Both halves are read in order from their indexes and merged; nothing is sorted, and only
    // earlier pages are skipped. In the same millisecond our message is the newer one, because it
    // is the answer.
    static constexpr const char* kSql =
        "select received_at_ms, 0, id, message_id, sender_id, agent_id, message_type, "
        "payload_json, provenance from inbox where agent_id = ?1 and sender_id = ?2 "
        "union all "
        "select created_at_ms, 1, id, message_id, agent_id, target_id, message_type, "
        "payload_json, state from outbox where agent_id = ?1 and target_id = ?2 "
        "order by 1 desc, 2 desc, 3 desc limit ?3 offset ?4";
    if (page < 1 || limit < 1 || limit > kHistoryLimitMax) {
        return fail(ErrorCode::InvalidArgument,
                    "pages start at 1 and hold 1 to 100 messages; the request was for page " +
                        std::to_string(page) + " of " + std::to_string(limit));
    }
    const std::int64_t offset = (std::int64_t{page} - 1) * limit;
    return db.statement(kSql).all(read_history, agent_id, peer_id, limit, offset);
}

/// SQL: an outbox row that is not the answer to a message that nobody could authenticate. The key
/// of an answer names the job, whose id is that of the message.
#define A2H_ANSWERS_NOTHING_FORGED                                                    \
    "not exists (select 1 from inbox as asked where outbox.effect_key glob 'task:*' " \
    "and asked.id = cast(substr(outbox.effect_key, 6) as integer) "                   \
    "and asked.provenance not in ('verified', 'vouched'))"

Result<std::vector<HistoryEntry>> context_of(Database& db, const InboxMessage& message, int limit) {
    static constexpr const char* kSql =
        "select received_at_ms, 0, id, message_id, sender_id, agent_id, message_type, "
        "payload_json, provenance from inbox where agent_id = ?1 and sender_id = ?2 "
        "and message_id <> ?3 and provenance <> 'forged' "
        "and (not ?4 or provenance in ('verified', 'vouched')) "
        "union all "
        "select created_at_ms, 1, id, message_id, agent_id, target_id, message_type, "
        "payload_json, state from outbox where agent_id = ?1 and target_id = ?2 "
        "and (not ?4 or " A2H_ANSWERS_NOTHING_FORGED
        ") "
        "order by 1 desc, 2 desc, 3 desc limit ?5";
    return db.statement(kSql).all(read_history, message.agent_id, message.sender_id,
                                  message.message_id, is_authentic(message.provenance), limit);
}

Result<std::vector<HistoryEntry>> context_before(Database& db, const InboxMessage& message,
                                                 int limit) {
    static constexpr const char* kSql =
        "select received_at_ms, 0, id, message_id, sender_id, agent_id, message_type, "
        "payload_json, provenance from inbox where agent_id = ?1 and sender_id = ?2 "
        "and received_at_ms <= ?3 and id < ?4 and provenance <> 'forged' "
        "and (not ?6 or provenance in ('verified', 'vouched')) "
        "union all "
        "select created_at_ms, 1, id, message_id, agent_id, target_id, message_type, "
        "payload_json, state from outbox where agent_id = ?1 and target_id = ?2 "
        "and created_at_ms < ?3 and (not ?6 or " A2H_ANSWERS_NOTHING_FORGED
        ") "
        "order by 1 desc, 2 desc, 3 desc limit ?5";
    return db.statement(kSql).all(read_history, message.agent_id, message.sender_id,
                                  message.received_at_ms, message.id, limit,
                                  is_authentic(message.provenance));
}

Result<std::vector<std::string>> market_payloads(Database& db, std::string_view agent_id,
                                                 const MarketMail& wanted) {
    static constexpr const char* kSql =
        "select payload_json from (select id, payload_json, received_at_ms from inbox "
        "indexed by inbox_platform where source = 'platform' and agent_id = ?1 "
        "order by id desc limit ?4) "
        "where instr(payload_json, ?2) > 0 and received_at_ms >= ?5 order by id desc limit ?3";
    return db.statement(kSql).all(sql::kFirstText, agent_id, wanted.text, wanted.limit,
                                  wanted.read_max, wanted.since_ms);
}

Result<UnixMs> last_heard_ms(Database& db, std::string_view agent_id, std::string_view sender_id) {
    static constexpr const char* kSql =
        "select coalesce((select received_at_ms from inbox where agent_id = ? and sender_id = ? "
        "and provenance in ('verified', 'vouched') order by received_at_ms desc limit 1), 0)";
    return db.statement(kSql).number(agent_id, sender_id);
}

Result<std::vector<InboxMessage>> typed_inbox(Database& db, int limit) {
    static const std::string kSql = kInbox.select(
        "where id in (select id from inbox where source = 'peer' and "
        "json_extract(payload_json, '$.type') is not null order by id desc limit ?) order by id");
    return db.statement(kSql).all(kInbox, limit);
}

Result<std::optional<InboxMessage>> get_inbox(Database& db, std::int64_t inbox_id) {
    static const std::string kSql = kInbox.select("where id = ?");
    return db.statement(kSql).first(kInbox, inbox_id);
}

Result<std::optional<InboxMessage>> find_inbox(Database& db, std::string_view agent_id,
                                               std::string_view sender_id,
                                               std::string_view message_id) {
    static const std::string kSql =
        kInbox.select("where agent_id = ? and sender_id = ? and message_id = ?");
    return db.statement(kSql).first(kInbox, agent_id, sender_id, message_id);
}

Result<std::optional<InboxMessage>> find_inbox(Database& db, std::string_view agent_id,
                                               std::string_view message_id) {
    static const std::string kSql =
        "select " + kInbox.names("inbox.") +
        " from conversation cross join inbox indexed by inbox_message on inbox.agent_id = "
        "conversation.agent_id and inbox.sender_id = conversation.peer_id "
        "where conversation.agent_id = ? and message_id = ? order by id desc limit 1";
    return db.statement(kSql).first(kInbox, agent_id, message_id);
}

Result<void> set_inbox_provenance(Database& db, std::int64_t inbox_id, Provenance provenance) {
    static constexpr const char* kSql = "update inbox set provenance = ? where id = ?";
    A2H_ASSIGN_OR_RETURN(const bool changed,
                         db.statement(kSql).changes_a_row(provenance, inbox_id));
    if (changed) return {};
    return fail(ErrorCode::NotFound,
                "there is no message " + std::to_string(inbox_id) + " in the inbox");
}

Result<int> count_same_payload(Database& db, const InboxMessage& message, UnixMs since_ms) {
    static constexpr const char* kSql =
        "select count(*) from (select 1 from inbox indexed by inbox_repeat "
        "where agent_id = ?1 and sender_id = ?2 and payload_key = substr(?4, 1, 16) "
        "and received_at_ms >= ?3 and payload_hash = ?4 and message_id <> ?5 "
        "and provenance <> 'forged' and (provenance in ('verified', 'vouched')) = ?6 limit ?7)";
    A2H_ASSIGN_OR_RETURN(const auto count, db.statement(kSql).number(
                                               message.agent_id, message.sender_id, since_ms,
                                               message.payload_hash, message.message_id,
                                               is_authentic(message.provenance), kSamePayloadMax));
    return static_cast<int>(count);
}

Result<std::vector<Conversation>> conversations(Database& db, std::string_view agent_id,
                                                int limit) {
    static constexpr const char* kSql =
        "select peer_id, incoming_count, last_at_ms from conversation where agent_id = ? "
        "order by last_at_ms desc, peer_id limit ?";
    auto found = db.statement(kSql).all(
        [](Row& row) {
            return Conversation{row.text(0), {}, row.integer(1), row.integer(2)};
        },
        agent_id, limit);
    if (!found) return found;
    for (Conversation& conversation : *found) {
        A2H_ASSIGN_OR_RETURN(auto newest,
                             history(db, agent_id, conversation.peer_id, 1, kPreviewedEntriesMax));
        const auto shown = std::find_if(newest.begin(), newest.end(), [](const auto& entry) {
            return !entry.incoming || entry.provenance != Provenance::Forged;
        });
        if (shown != newest.end()) conversation.last_text_json = std::move(shown->payload_json);
    }
    return found;
}

Result<bool> has_newer_message(Database& db, std::string_view agent_id, std::string_view sender_id,
                               std::int64_t inbox_id, Provenance provenance) {
    static constexpr const char* kSql =
        "select exists (select 1 from inbox where id > ?1 and agent_id = ?2 and sender_id = ?3 "
        "and provenance <> 'forged' "
        "and (?4 <> 'verified' or provenance in ('verified', 'vouched')))";
    return db.statement(kSql).is_true(inbox_id, agent_id, sender_id, provenance);
}

Result<bool> is_out_of_order(Database& db, const InboxMessage& message) {
    static constexpr const char* kSql =
        "select exists (select 1 from (select sent_at_ms, provenance from inbox "
        "indexed by inbox_history where agent_id = ?1 and sender_id = ?2 and (?3 = 0 or id < ?3) "
        "order by received_at_ms desc limit ?4) where sent_at_ms > ?5 and provenance <> 'forged' "
        "and (?6 = 'unverified' or provenance in ('verified', 'vouched')))";
    if (message.sent_at_ms == 0 || message.source != SourceClass::Peer) return false;
    if (std::abs(message.received_at_ms - message.sent_at_ms) <= kInOrderMs) return false;
    A2H_ASSIGN_OR_RETURN(const auto found,
                         db.statement(kSql).number(message.agent_id, message.sender_id, message.id,
                                                   kOrderMessagesMax, message.sent_at_ms,
                                                   to_string(message.provenance)));
    return found != 0;
}

Result<std::vector<InboxMessage>> decided_after(Database& db, std::string_view agent_id,
                                                std::string_view sender_id, std::int64_t inbox_id,
                                                Provenance provenance, int limit) {
    static const std::string kSql = kInbox.select(
        "indexed by inbox_history where agent_id = ?1 and sender_id = ?2 and id > ?3 and "
        "(provenance = 'verified' or (provenance = 'vouched' and ?4 <> 'verified') or "
        "(provenance = 'unverified' and ?4 not in ('verified', 'vouched'))) and not exists "
        "(select 1 from job indexed by job_pending where state = 'pending' and "
        "job.inbox_id > ?3 and job.inbox_id <= inbox.id and job.agent_id = ?1 and "
        "job.peer_id = ?2) order by id limit ?5");
    return db.statement(kSql).all(kInbox, agent_id, sender_id, inbox_id, provenance, limit);
}

Result<std::int64_t> newest_inbox_id(Database& db) {
    static constexpr const char* kSql = "select coalesce(max(id), 0) from inbox";
    return db.statement(kSql).number();
}

Result<InboxCounts> inbox_counts(Database& db, std::string_view agent_id) {
    static constexpr const char* kReceived =
        "select coalesce(sum(incoming_count), 0), coalesce(max(last_received_ms), 0) "
        "from conversation where agent_id = ?";
    A2H_ASSIGN_OR_RETURN(
        const auto received,
        db.statement(kReceived).first(
            [](Row& row) { return std::pair(row.integer(0), row.integer(1)); }, agent_id));
    A2H_ASSIGN_OR_RETURN(const auto refused, refused_by_reason(db, agent_id));
    InboxCounts counts;
    counts.accepted = received->first;
    counts.last_received_ms = received->second;
    for (const auto& [reason, count] : refused) {
        const bool conflict = reason == to_string(Refusal::ConflictingDuplicate);
        (conflict ? counts.conflicts : counts.refused) += count;
    }
    return counts;
}

}  // namespace a2h::store
