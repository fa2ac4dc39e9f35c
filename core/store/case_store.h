#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/domain/stage_case.h"
#include "core/store/database.h"

namespace a2h::store {

// Errors:  those of the database, besides those that a function names.
// Thread:  that of `db`.

/// Inserts a case of version 1; otherwise replaces the one of version - 1.
///
/// Errors:  Conflict if the stored case has another version, is closed, or exists already.
Result<void> put_case(Database& db, const StageCase& changed);

/// The open cases, that of the oldest job first.
Result<std::vector<StageCase>> open_cases(Database& db, int limit);
/// The number of open cases, without those of holding replies, whose jobs are decided.
Result<std::int64_t> count_open_cases(Database& db, std::string_view agent_id);

Result<void> insert_stage_message(Database& db, const StageMessage& message);
/// Deletes closed cases with their messages, oldest first, at most `limit`: those closed before
/// `before_ms`, and those that exceed `bytes_max` bytes of messages. Returns their number.
Result<int> forget_cases(Database& db, UnixMs before_ms, std::int64_t bytes_max, int limit);
/// The messages between the stages of a case, oldest first.
Result<std::vector<StageMessage>> stage_messages(Database& db, std::int64_t job_id);

}  // namespace a2h::store
