#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/domain/stage_case.h"
#include "core/store/database.h"

namespace a2h::store {

/// Inserts a case of version 1, replaces the one of version - 1 otherwise.
/// Errors: Conflict when the stored case is another version or closed, or is there already.
Result<void> put_case(Database& db, const StageCase& changed);

Result<std::optional<StageCase>> get_case(Database& db, std::int64_t job_id);
/// Oldest job first.
Result<std::vector<StageCase>> open_cases(Database& db, int limit);
/// Without those of holding texts: their jobs are decided.
Result<std::int64_t> count_open_cases(Database& db, std::string_view agent_id);

Result<void> insert_stage_message(Database& db, const StageMessage& message);
/// Deletes closed cases with their messages, the oldest first, `limit` at most: those that were
/// closed before `before_ms`, and those that are too many for `bytes_max` bytes of messages.
/// Returns how many.
Result<int> forget_cases(Database& db, UnixMs before_ms, std::int64_t bytes_max, int limit);
/// Oldest first.
Result<std::vector<StageMessage>> stage_messages(Database& db, std::int64_t job_id);

}  // namespace a2h::store
