#include "core/store/outbox_store.h"

#include <algorithm>

#include "core/base/time_text.h"
#include "core/store/statement.h"

namespace a2h::store {
namespace {

// Steps from one (agent, peer) to the next in the index outbox_queued: as many steps as there are
// peers with queued messages, however many each has. Two searches, because for `(agent_id,
// target_id) > (…)` SQLite uses only the first column.
#define A2H_OUTBOX_HEADS                                                                 \
    "with recursive head (id) as (select (select id from outbox where state = 'queued' " \
    "order by agent_id, target_id, id limit 1) "                                         \
    "union all select coalesce("                                                         \
    "(select n.id from outbox n where n.state = 'queued' and n.agent_id = o.agent_id "   \
    "and n.target_id > o.target_id order by n.target_id, n.id limit 1), "                \
    "(select n.id from outbox n where n.state = 'queued' and n.agent_id > o.agent_id "   \
    "order by n.agent_id, n.target_id, n.id limit 1)) "                                  \
    "from head join outbox o on o.id = head.id) "

/// A right that this version does not know is none; such a row must not stop the others.
struct KnownRight {
    static std::string_view store(Right value) { return to_string(value); }
    static void load(Row& row, int at, Right& value) {
        value = parse_right(row.text(at)).value_or(Right::None);
    }
};

constexpr auto kOutbox = sql::table<OutboxMessage>(
    "outbox",
    A2H_COLUMNS(OutboxMessage, id, agent_id, target_id, message_id, message_type, trace_id,
                payload_json, cause, attempts, next_attempt_ms, expires_at_ms, last_error,
                created_at_ms, updated_at_ms, permitted_by, permit_digest),
    sql::column("effect_key", &OutboxMessage::effect_key, sql::NullIfEmpty{}),
    sql::column("state", &OutboxMessage::state, parse_outbox_state),
    sql::column("permit_right", &OutboxMessage::permit_right, KnownRight{}));

Result<void> count_outgoing(Database& db, const OutboxMessage& message) {
    static constexpr const char* kSql =
        "insert into conversation values (?1, ?2, 0, 1, 0, ?3) on conflict do update set "
        "outgoing_count = outgoing_count + 1, last_at_ms = max(last_at_ms, ?3)";
    return db.statement(kSql).run(message.agent_id, message.target_id, message.created_at_ms);
}

/// Explains why a change requested by an owner changed no row.
Unexpected why_unchanged(Database& db, std::int64_t id) {
    static constexpr const char* kSql = "select state from outbox where id = ?";
    A2H_ASSIGN_OR_RETURN(auto state, db.statement(kSql).first(sql::kFirstText, id));
    const std::string name = "outgoing message " + std::to_string(id);
    if (!state) return fail(ErrorCode::NotFound, "there is no " + name);
    return fail(ErrorCode::Conflict,
                name + " is " + *state + "; only queued, held and dead messages can be changed");
}

Result<std::vector<OutboxMessage>> list_queued(Database& db, std::string_view agent_id, int limit) {
    static const std::string kSql = kOutbox.select(
        "where agent_id = ? and state = 'queued' "
        "order by outbox.id desc limit ?");
    return db.statement(kSql).all(kOutbox, agent_id, limit);
}

Result<std::vector<OutboxMessage>> list_settled(Database& db, std::string_view agent_id,
                                                OutboxState state, int limit) {
    static const std::string kSql = kOutbox.select(
        "indexed by outbox_settled where agent_id = ? and state = ? "
        "and state <> 'queued' order by outbox.id desc limit ?");
    return db.statement(kSql).all(kOutbox, agent_id, state, limit);
}

Result<std::vector<OutboxMessage>> list_state(Database& db, std::string_view agent_id,
                                              OutboxState state, int limit) {
    if (state == OutboxState::Queued) return list_queued(db, agent_id, limit);
    return list_settled(db, agent_id, state, limit);
}

Result<std::int64_t> count_settled(Database& db, std::string_view agent_id, OutboxState state) {
    static constexpr const char* kSql =
        "select count(*) from outbox indexed by outbox_settled "
        "where agent_id = ? and state = ? and state <> 'queued'";
    return db.statement(kSql).number(agent_id, state);
}

}  // namespace

Result<OutboxPlace> insert_outbox(Database& db, const OutboxMessage& message,
                                  const Permit& permit) {
    static constexpr auto kNew = sql::without<kOutbox, &OutboxMessage::id>();
    static const std::string kInsert =
        kNew.insert("on conflict (effect_key) where effect_key is not null do nothing");
    static constexpr const char* kStanding = "select id from outbox where effect_key = ?";
    static constexpr const char* kOlder =
        "select count(*) from (select 1 from outbox indexed by outbox_queued "
        "where state = 'queued' and agent_id = ? and target_id = ? and id < ? limit 1)";
    OutboxMessage permitted = message;
    permitted.permit_right = permit.right();
    permitted.permitted_by = permit.by();
    permitted.permit_digest = permit.digest();
    Statement& insert = db.statement(kInsert);
    A2H_TRY(insert.put(kNew, permitted));
    if (insert.changes() == 0) {
        A2H_ASSIGN_OR_RETURN(const auto standing,
                             db.statement(kStanding).number(message.effect_key));
        return OutboxPlace{standing, false};
    }
    const std::int64_t id = insert.last_id();
    A2H_TRY(count_outgoing(db, message));
    A2H_ASSIGN_OR_RETURN(const auto older,
                         db.statement(kOlder).number(message.agent_id, message.target_id, id));
    return OutboxPlace{id, older == 0};
}

Result<bool> is_permitted(Database& db, std::int64_t id, std::string_view digest) {
    static constexpr const char* kSql =
        "select exists (select 1 from outbox where id = ? and permit_right <> 'none' "
        "and permit_digest = ?)";
    return db.statement(kSql).is_true(id, digest);
}

Result<std::vector<OutboxMessage>> outbox_before_permits(Database& db) {
    static const std::string kSql =
        kOutbox.select("where permit_right = 'before_permits' and permit_digest = ''");
    return db.statement(kSql).all(kOutbox);
}

Result<std::vector<OutboxMessage>> typed_outbox(Database& db, int limit) {
    static const std::string kSql = kOutbox.select(
        "where id in (select id from outbox where state not in ('dead', 'dropped') and "
        "json_extract(payload_json, '$.type') is not null order by id desc limit ?) order by id");
    return db.statement(kSql).all(kOutbox, limit);
}

Result<void> put_permit_digest(Database& db, std::int64_t id, std::string_view digest) {
    return db.statement("update outbox set permit_digest = ? where id = ?").run(digest, id);
}

Result<std::vector<OutboxMessage>> due_outbox(Database& db, UnixMs now_ms, int limit) {
    static const std::string kSql = A2H_OUTBOX_HEADS "select " + kOutbox.names("outbox.") +
                                    " from head join outbox on outbox.id = head.id "
                                    "where next_attempt_ms <= ? order by outbox.id limit ?";
    return db.statement(kSql).all(kOutbox, now_ms, limit);
}

Result<std::optional<OutboxMessage>> next_outbox_of_peer(Database& db, std::string_view agent_id,
                                                         std::string_view target_id) {
    static const std::string kSql = kOutbox.select(
        "indexed by outbox_queued where state = 'queued' and agent_id = ? "
        "and target_id = ? order by outbox.id limit 1");
    return db.statement(kSql).first(kOutbox, agent_id, target_id);
}

Result<std::optional<UnixMs>> next_outbox_wakeup(Database& db, UnixMs after_ms) {
    static constexpr const char* kSql = A2H_OUTBOX_HEADS
        "select next_attempt_ms from head join outbox on outbox.id = head.id "
        "where next_attempt_ms > ? order by next_attempt_ms limit 1";
    return db.statement(kSql).first(sql::kFirstNumber, after_ms);
}

Result<void> mark_outbox_sent(Database& db, std::int64_t id, UnixMs now_ms) {
    static constexpr const char* kSql =
        "update outbox set state = 'sent', last_error = '', updated_at_ms = ?2 "
        "where id = ?1 and state not in ('sent', 'delivered')";
    return db.statement(kSql).run(id, now_ms);
}

Result<bool> hand_over_outbox(Database& db, std::int64_t id, UnixMs now_ms) {
    static constexpr const char* kSql =
        "update outbox set state = 'delivered', last_error = '', updated_at_ms = ?2 "
        "where id = ?1 and state = 'queued'";
    return db.statement(kSql).changes_a_row(id, now_ms);
}

Result<bool> bury_outbox(Database& db, std::int64_t id, std::string_view error, UnixMs now_ms) {
    static constexpr const char* kSql =
        "update outbox set state = 'dead', last_error = ?2, updated_at_ms = ?3 "
        "where id = ?1 and state = 'queued'";
    return db.statement(kSql).changes_a_row(id, error, now_ms);
}

Result<void> drop_queued_outbox(Database& db, std::string_view agent_id, UnixMs now_ms) {
    static constexpr const char* kSql =
        "update outbox set state = 'dropped', updated_at_ms = ?2 "
        "where agent_id = ?1 and state = 'queued'";
    return db.statement(kSql).run(agent_id, now_ms);
}

Result<void> mark_outbox_retry(Database& db, std::int64_t id, int attempts, UnixMs next_attempt_ms,
                               std::string_view error, UnixMs now_ms) {
    static constexpr const char* kSql =
        "update outbox set attempts = ?2, next_attempt_ms = ?3, last_error = ?4, "
        "updated_at_ms = ?5 where id = ?1 and state = 'queued'";
    return db.statement(kSql).run(id, attempts, next_attempt_ms, error, now_ms);
}

Result<std::vector<OutboxMessage>> expire_outbox(Database& db, UnixMs now_ms) {
    static const std::string kFind = kOutbox.select(
        "indexed by outbox_queued "
        "where state = 'queued' and expires_at_ms <= ? "
        "order by outbox.id");
    static constexpr const char* kEnd =
        "update outbox set state = 'dead', updated_at_ms = ?2 where id = ?1";
    auto expired = db.statement(kFind).all(kOutbox, now_ms);
    if (!expired) return expired;
    for (OutboxMessage& message : *expired) {
        message.state = OutboxState::Dead;
        message.updated_at_ms = now_ms;
        A2H_TRY(db.statement(kEnd).run(message.id, now_ms));
    }
    return expired;
}

/// Whether a message that could be queued again was to be sent before a time that has passed.
bool is_over(const OutboxMessage& message, UnixMs now_ms, UnixMs lifetime_ms) {
    const bool is_waiting = message.state == OutboxState::Queued ||
                            message.state == OutboxState::Dead ||
                            message.state == OutboxState::Held;
    return is_waiting && message.expires_at_ms - message.created_at_ms < lifetime_ms &&
           message.expires_at_ms <= now_ms;
}

/// SQL: the new end of a message; one with an end of its own, before ?3, keeps it.
#define A2H_NEW_END                                                                    \
    "expires_at_ms = case when expires_at_ms - created_at_ms < ?3 then expires_at_ms " \
    "else ?2 + ?3 end"

Result<void> requeue_outbox(Database& db, std::int64_t id, UnixMs now_ms, UnixMs lifetime_ms) {
    static constexpr const char* kSql =
        "update outbox set state = 'queued', attempts = 0, next_attempt_ms = ?2, " A2H_NEW_END
        ", last_error = '', updated_at_ms = ?2 where id = ?1 "
        "and state in ('queued', 'dead', 'held') "
        "and (expires_at_ms - created_at_ms >= ?3 or expires_at_ms > ?2)";
    A2H_ASSIGN_OR_RETURN(const auto message, get_outbox(db, id));
    A2H_ASSIGN_OR_RETURN(const bool changed,
                         db.statement(kSql).changes_a_row(id, now_ms, lifetime_ms));
    if (changed) return {};
    if (message && is_over(*message, now_ms, lifetime_ms)) {
        return fail(ErrorCode::Conflict, "this was to be sent before " +
                                             to_utc_time(message->expires_at_ms) +
                                             "; decide again what to say");
    }
    return why_unchanged(db, id);
}

Result<void> drop_outbox(Database& db, std::int64_t id, UnixMs now_ms) {
    static constexpr const char* kSql =
        "update outbox set state = 'dropped', updated_at_ms = ?2 "
        "where id = ?1 and state in ('queued', 'dead', 'held')";
    A2H_ASSIGN_OR_RETURN(const bool changed, db.statement(kSql).changes_a_row(id, now_ms));
    if (changed) return {};
    return why_unchanged(db, id);
}

Result<std::int64_t> requeue_held_outbox(Database& db, std::string_view agent_id, UnixMs now_ms,
                                         UnixMs lifetime_ms) {
    static constexpr const char* kSql =
        "update outbox set state = 'queued', attempts = 0, next_attempt_ms = ?2, " A2H_NEW_END
        ", last_error = '', updated_at_ms = ?2 where agent_id = ?1 and state = 'held'";
    Statement& update = db.statement(kSql);
    A2H_TRY(update.run(agent_id, now_ms, lifetime_ms));
    return std::int64_t{update.changes()};
}

Result<std::int64_t> drop_held_outbox(Database& db, std::string_view agent_id, UnixMs now_ms) {
    static constexpr const char* kSql =
        "update outbox set state = 'dropped', updated_at_ms = ?2 "
        "where agent_id = ?1 and state = 'held'";
    Statement& update = db.statement(kSql);
    A2H_TRY(update.run(agent_id, now_ms));
    return std::int64_t{update.changes()};
}

Result<void> hold_rule_outbox(Database& db, std::string_view agent_id, UnixMs now_ms) {
    static constexpr const char* kSql =
        "update outbox set state = 'held', updated_at_ms = ?2 "
        "where agent_id = ?1 and state = 'queued' and cause glob 'rule:*'";
    return db.statement(kSql).run(agent_id, now_ms);
}

Result<std::vector<OutboxMessage>> list_outbox(Database& db, std::string_view agent_id,
                                               std::optional<OutboxState> state, int limit) {
    if (state) return list_state(db, agent_id, *state, limit);
    // The newest rows of all are among the newest of each state, which an index provides.
    std::vector<OutboxMessage> newest;
    for (const OutboxState each : {OutboxState::Queued, OutboxState::Sent, OutboxState::Delivered,
                                   OutboxState::Dead, OutboxState::Dropped, OutboxState::Held}) {
        A2H_ASSIGN_OR_RETURN(auto found, list_state(db, agent_id, each, limit));
        std::move(found.begin(), found.end(), std::back_inserter(newest));
    }
    std::sort(newest.begin(), newest.end(),
              [](const OutboxMessage& a, const OutboxMessage& b) { return a.id > b.id; });
    if (newest.size() > static_cast<std::size_t>(limit)) {
        newest.resize(static_cast<std::size_t>(limit));
    }
    return newest;
}

Result<std::optional<OutboxMessage>> get_outbox_by_effect(Database& db,
                                                          std::string_view effect_key) {
    static const std::string kSql = kOutbox.select("where effect_key = ?");
    return db.statement(kSql).first(kOutbox, effect_key);
}

Result<std::optional<OutboxMessage>> get_outbox(Database& db, std::int64_t id) {
    static const std::string kSql = kOutbox.select("where outbox.id = ?");
    return db.statement(kSql).first(kOutbox, id);
}

Result<std::vector<OutboxMessage>> outbox_with_id(Database& db, std::string_view message_id,
                                                  int limit) {
    static const std::string kSql =
        kOutbox.select("where message_id = ? order by outbox.id desc limit ?");
    return db.statement(kSql).all(kOutbox, message_id, limit);
}

Result<std::vector<OutboxMessage>> outbox_permitted_by(Database& db, std::string_view id,
                                                       int limit) {
    static const std::string kSql =
        kOutbox.select("where permitted_by = ? order by outbox.id desc limit ?");
    return db.statement(kSql).all(kOutbox, id, limit);
}

Result<std::vector<OutboxMessage>> released_outbox(Database& db, std::string_view agent_id,
                                                   std::string_view target_id, UnixMs since_ms,
                                                   int limit) {
    static const std::string kSql = kOutbox.select(
        "indexed by outbox_history where agent_id = ? and target_id = ? "
        "and created_at_ms >= ? and effect_key glob 'approval:*' "
        "and state not in ('dead', 'dropped') order by created_at_ms desc, outbox.id desc limit ?");
    return db.statement(kSql).all(kOutbox, agent_id, target_id, since_ms, limit);
}

Result<OutboxCounts> outbox_counts(Database& db, std::string_view agent_id) {
    static constexpr const char* kTotal =
        "select coalesce(sum(outgoing_count), 0) from conversation where agent_id = ?";
    static constexpr const char* kQueued =
        "select count(*) from outbox where agent_id = ? and state = 'queued'";
    static constexpr const char* kOldest = A2H_OUTBOX_HEADS
        "select created_at_ms from head join outbox on outbox.id = head.id "
        "where agent_id = ? order by outbox.id limit 1";
    A2H_ASSIGN_OR_RETURN(const auto total, db.statement(kTotal).number(agent_id));
    A2H_ASSIGN_OR_RETURN(const auto queued, db.statement(kQueued).number(agent_id));
    A2H_ASSIGN_OR_RETURN(const auto oldest, db.statement(kOldest).number(agent_id));
    A2H_ASSIGN_OR_RETURN(const auto dead, count_settled(db, agent_id, OutboxState::Dead));
    A2H_ASSIGN_OR_RETURN(const auto dropped, count_settled(db, agent_id, OutboxState::Dropped));
    A2H_ASSIGN_OR_RETURN(const auto held, count_settled(db, agent_id, OutboxState::Held));
    // The number of sent rows is the difference, because counting a million rows for a status line
    // is too slow.
    return OutboxCounts{queued, total - queued - dead - dropped - held, dead, oldest, held};
}

}  // namespace a2h::store
