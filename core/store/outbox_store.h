#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/domain/outbox.h"
#include "core/store/database.h"

namespace a2h::store {

// Errors:  those of the database, besides those that a function names.
// Thread:  that of `db`.

/// The position of a message in the order of its peer.
struct OutboxPlace {
    std::int64_t id = 0;
    /// It was inserted, and nothing older is Queued for this peer, so it may be sent without
    /// another search.
    bool is_next = false;
};

/// Inserts `message` with its permit. If a row with the same non-empty `effect_key` exists, it
/// stays and its id is returned.
Result<OutboxPlace> insert_outbox(Database& db, const OutboxMessage& message, const Permit& permit);

/// Whether row `id` is permitted to leave as bytes of this digest (`wire::permit_digest`).
Result<bool> is_permitted(Database& db, std::int64_t id, std::string_view digest);
/// Returns the messages that were queued before there were permits and have no digest yet.
Result<std::vector<OutboxMessage>> outbox_before_permits(Database& db);
/// The newest messages whose payload names its type, but those that never left; oldest first.
Result<std::vector<OutboxMessage>> typed_outbox(Database& db, int limit);
Result<void> put_permit_digest(Database& db, std::int64_t id, std::string_view digest);

/// For each (agent, peer) the oldest Queued row, if its `next_attempt_ms` has passed: messages to a
/// peer keep their order, and a waiting peer delays nobody else. Oldest first.
Result<std::vector<OutboxMessage>> due_outbox(Database& db, UnixMs now_ms, int limit);

/// The oldest Queued row of this peer, due or not.
Result<std::optional<OutboxMessage>> next_outbox_of_peer(Database& db, std::string_view agent_id,
                                                         std::string_view target_id);

/// The earliest `next_attempt_ms` after `after_ms` among the rows that `due_outbox` considers, the
/// oldest Queued one of each (agent, peer). Rows that are already due wait for a connection or an
/// answer, and must not hide later times. nullopt if there is none.
Result<std::optional<UnixMs>> next_outbox_wakeup(Database& db, UnixMs after_ms);

/// Records that the broker has the message. A row that was dropped or became dead in the meantime
/// also becomes Sent, because it was sent; a Delivered one stays. Unknown ids are ignored.
Result<void> mark_outbox_sent(Database& db, std::int64_t id, UnixMs now_ms);
/// Records that a target in this home has the message, whose inbox row is written in the same
/// transaction. False, and nothing is changed, unless the row was Queued.
Result<bool> hand_over_outbox(Database& db, std::int64_t id, UnixMs now_ms);
/// Makes a Queued row that cannot be delivered a dead letter. False, and nothing is changed, for
/// any other row.
Result<bool> bury_outbox(Database& db, std::int64_t id, std::string_view error, UnixMs now_ms);
/// Drops the Queued rows of an agent that sends nothing any more.
Result<void> drop_queued_outbox(Database& db, std::string_view agent_id, UnixMs now_ms);
/// Records a failed attempt and the time of the next one. Changes only a Queued row.
Result<void> mark_outbox_retry(Database& db, std::int64_t id, int attempts, UnixMs next_attempt_ms,
                               std::string_view error, UnixMs now_ms);
/// Changes Queued rows whose `expires_at_ms` has passed to Dead and returns them.
Result<std::vector<OutboxMessage>> expire_outbox(Database& db, UnixMs now_ms);

/// Queues the row again with a new lifetime and no failures; its position in the order of its peer
/// stays. A message whose first lifetime was shorter than `lifetime_ms`, because its card named a
/// time, keeps its end.
///
/// Errors:  NotFound; Conflict unless the row is Dead, Held or Queued, or if its own end has
/// passed.
Result<void> requeue_outbox(Database& db, std::int64_t id, UnixMs now_ms, UnixMs lifetime_ms);
/// Errors: NotFound; Conflict unless the row is Dead, Held or Queued.
Result<void> drop_outbox(Database& db, std::int64_t id, UnixMs now_ms);

/// The same for all Held rows of an agent; returns their number.
Result<std::int64_t> requeue_held_outbox(Database& db, std::string_view agent_id, UnixMs now_ms,
                                         UnixMs lifetime_ms);
Result<std::int64_t> drop_held_outbox(Database& db, std::string_view agent_id, UnixMs now_ms);

/// Holds the messages that rules have queued for an agent, because another instance may have
/// answered.
Result<void> hold_rule_outbox(Database& db, std::string_view agent_id, UnixMs now_ms);

/// The messages of an agent, newest first; an empty `state` means all.
Result<std::vector<OutboxMessage>> list_outbox(Database& db, std::string_view agent_id,
                                               std::optional<OutboxState> state, int limit);
Result<std::optional<OutboxMessage>> get_outbox_by_effect(Database& db,
                                                          std::string_view effect_key);

Result<std::optional<OutboxMessage>> get_outbox(Database& db, std::int64_t id);
/// The messages with this message id, of all agents; newest first.
Result<std::vector<OutboxMessage>> outbox_with_id(Database& db, std::string_view message_id,
                                                  int limit);
/// The messages whose permit names `id`: an approval, a mandate, a rule. Newest first.
Result<std::vector<OutboxMessage>> outbox_permitted_by(Database& db, std::string_view id,
                                                       int limit);

/// Returns the messages that were sent to `target_id` with a yes since `since_ms` and were not
/// given up, newest first: with the yes of a human or of a mandate, including refusals by a human.
Result<std::vector<OutboxMessage>> released_outbox(Database& db, std::string_view agent_id,
                                                   std::string_view target_id, UnixMs since_ms,
                                                   int limit);

struct OutboxCounts {
    std::int64_t queued = 0;
    std::int64_t sent = 0;  ///< Sent or Delivered
    std::int64_t dead = 0;
    UnixMs oldest_queued_ms = 0;  ///< 0 if none is queued
    std::int64_t held = 0;
};
Result<OutboxCounts> outbox_counts(Database& db, std::string_view agent_id);

}  // namespace a2h::store
