#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/domain/outbox.h"
#include "core/store/database.h"

namespace a2h::store {

/// Where a message stands in the order of its peer.
struct OutboxPlace {
    std::int64_t id = 0;
    /// Inserted, with nothing older Queued for this peer: it may be sent without another look.
    bool is_next = false;
};

/// Inserts `message`; a row with the same non-empty `effect_key` stands, and its id is returned.
Result<OutboxPlace> insert_outbox(Database& db, const OutboxMessage& message);

/// For each (agent, peer) the oldest Queued row, if its `next_attempt_ms` has come: per peer in
/// order, and a peer that waits delays nobody else. Oldest first.
Result<std::vector<OutboxMessage>> due_outbox(Database& db, UnixMs now_ms, int limit);

/// The oldest Queued row of this peer, due or not.
Result<std::optional<OutboxMessage>> next_outbox_of_peer(Database& db, std::string_view agent_id,
                                                         std::string_view target_id);

/// Earliest `next_attempt_ms` after `after_ms` among the rows that `due_outbox` looks at, the
/// oldest Queued one of each (agent, peer). What is due already waits for a connection or an
/// answer and must not hide the times of others. nullopt when there is none.
Result<std::optional<UnixMs>> next_outbox_wakeup(Database& db, UnixMs after_ms);

/// The broker has it. A row that was dropped or died meanwhile is Sent all the same, because that
/// is what happened; a Delivered one stays. Unknown ids are ignored.
Result<void> mark_outbox_sent(Database& db, std::int64_t id, UnixMs now_ms);
/// For a target of this house, whose inbox row is written in the same transaction. False, and
/// nothing changed, unless the row was Queued.
Result<bool> hand_over_outbox(Database& db, std::int64_t id, UnixMs now_ms);
/// A Queued row that cannot be delivered at all. False, and nothing changed, for any other.
Result<bool> bury_outbox(Database& db, std::int64_t id, std::string_view error, UnixMs now_ms);
/// Drops what is Queued of an agent that sends nothing any more.
Result<void> drop_queued_outbox(Database& db, std::string_view agent_id, UnixMs now_ms);
/// Only a Queued row is changed.
Result<void> mark_outbox_retry(Database& db, std::int64_t id, int attempts, UnixMs next_attempt_ms,
                               std::string_view error, UnixMs now_ms);
/// Moves Queued rows whose `expires_at_ms` has passed to Dead and returns them.
Result<std::vector<OutboxMessage>> expire_outbox(Database& db, UnixMs now_ms);

/// Starts a new life without failures; the place in the order of its peer stays.
/// Errors: NotFound; Conflict unless the row is Dead, Held or Queued.
Result<void> requeue_outbox(Database& db, std::int64_t id, UnixMs now_ms, UnixMs expires_at_ms);
/// Errors: NotFound; Conflict unless the row is Dead, Held or Queued.
Result<void> drop_outbox(Database& db, std::int64_t id, UnixMs now_ms);

/// The same for all Held rows of an agent; how many there were.
Result<std::int64_t> requeue_held_outbox(Database& db, std::string_view agent_id, UnixMs now_ms,
                                         UnixMs expires_at_ms);
Result<std::int64_t> drop_held_outbox(Database& db, std::string_view agent_id, UnixMs now_ms);

/// Holds what rules have queued for an agent: another instance may have answered the same.
Result<void> hold_rule_outbox(Database& db, std::string_view agent_id, UnixMs now_ms);

/// `state` empty: all. Newest first.
Result<std::vector<OutboxMessage>> list_outbox(Database& db, std::string_view agent_id,
                                               std::optional<OutboxState> state, int limit);
Result<std::optional<OutboxMessage>> get_outbox_by_effect(Database& db,
                                                          std::string_view effect_key);

/// What a yes has let go to `target_id` since `since_ms` and nobody gave up, the newest first: of a
/// human or of a mandate, refusals of a human included.
Result<std::vector<OutboxMessage>> released_outbox(Database& db, std::string_view agent_id,
                                                   std::string_view target_id, UnixMs since_ms,
                                                   int limit);

struct OutboxCounts {
    std::int64_t queued = 0;
    std::int64_t sent = 0;  ///< Sent or Delivered
    std::int64_t dead = 0;
    UnixMs oldest_queued_ms = 0;  ///< 0 when none is queued
    std::int64_t held = 0;
};
Result<OutboxCounts> outbox_counts(Database& db, std::string_view agent_id);

}  // namespace a2h::store
