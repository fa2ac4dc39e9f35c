#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/domain/job.h"
#include "core/domain/message.h"
#include "core/store/database.h"

namespace a2h::store {

// Errors:  those of the database, besides those that a function names.
// Thread:  that of `db`.

/// Pending jobs of all agents with an id above `after_id`, oldest first.
Result<std::vector<Job>> pending_jobs(Database& db, std::int64_t after_id, int limit);

Result<std::optional<Job>> get_job(Database& db, std::int64_t job_id);
Result<std::optional<Job>> get_job_of_inbox(Database& db, std::int64_t inbox_id);

/// Decided jobs of an agent with messages since `since_ms` and an id above `after_id`, oldest
/// first.
Result<std::vector<Job>> decided_jobs(Database& db, std::string_view agent_id,
                                      std::int64_t after_id, UnixMs since_ms, int limit);

/// Writes state, rule_id, decision, why, basis_json, retry_count and updated_at_ms of `job.id`.
///
/// Errors:  NotFound; Conflict if the stored job is already final (Done or Failed).
Result<void> update_job(Database& db, const Job& job);

/// True while a message of `peer_id` after row `inbox_id` is not decided; if that row has
/// `provenance` Verified, only authentic messages count.
Result<bool> has_undecided_after(Database& db, std::string_view agent_id, std::string_view peer_id,
                                 std::int64_t inbox_id, Provenance provenance);

/// Ends the pending jobs of an agent that decides nothing any more, as silent by `rule_id`.
Result<void> close_pending_jobs(Database& db, std::string_view agent_id, std::string_view rule_id,
                                UnixMs now_ms);

/// The number of replies since `since_ms` to the sender of `message`: jobs whose decision is
/// "answer". Replies to authentic and to unverified messages are counted separately.
Result<int> count_answers_since(Database& db, const InboxMessage& message, UnixMs since_ms);
Result<std::int64_t> count_pending_jobs(Database& db, std::string_view agent_id);

}  // namespace a2h::store
