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

/// Pending jobs of all agents, oldest first, with id above `after_id`.
Result<std::vector<Job>> pending_jobs(Database& db, std::int64_t after_id, int limit);

Result<std::optional<Job>> get_job(Database& db, std::int64_t job_id);
Result<std::optional<Job>> get_job_of_inbox(Database& db, std::int64_t inbox_id);

/// Decided jobs of an agent whose message came at `since_ms` or later, oldest first, with id above
/// `after_id`.
Result<std::vector<Job>> decided_jobs(Database& db, std::string_view agent_id,
                                      std::int64_t after_id, UnixMs since_ms, int limit);

/// Writes state, rule_id, decision, why, basis_json, retry_count and updated_at_ms of `job.id`.
/// Errors: NotFound; Conflict when the stored job is already final (Done or Failed).
Result<void> update_job(Database& db, const Job& job);

/// True while a message of `peer_id` that came after the one with row id `inbox_id` is not decided;
/// after one that came with `provenance` Verified, an authentic one.
Result<bool> has_undecided_after(Database& db, std::string_view agent_id, std::string_view peer_id,
                                 std::int64_t inbox_id, Provenance provenance);

/// Ends the pending jobs of an agent that decides nothing any more, as silent by `rule_id`.
Result<void> close_pending_jobs(Database& db, std::string_view agent_id, std::string_view rule_id,
                                UnixMs now_ms);

/// Replies decided since `since_ms` for whoever sent `message`: jobs whose decision is "answer".
/// Those to authentic messages count among themselves, and so do those to what nobody could check.
Result<int> count_answers_since(Database& db, const InboxMessage& message, UnixMs since_ms);
Result<std::int64_t> count_pending_jobs(Database& db, std::string_view agent_id);

}  // namespace a2h::store
