#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/domain/approval.h"
#include "core/store/database.h"

namespace a2h::store {

// Errors:  those of the database, besides those that a function names.
// Thread:  that of `db`.

/// How often questions ended in one way.
struct ApprovalCount {
    ApprovalStatus status = ApprovalStatus::Pending;
    AnswerSurface surface = AnswerSurface::System;  ///< System: not answered yet
    std::int64_t count = 0;
    /// Whether a yes sends and does nothing, so that it only closes the question.
    bool only_closes = false;
};

/// Questions since `since_ms`, counted by their result.
Result<std::vector<ApprovalCount>> count_approvals(Database& db, std::string_view agent_id,
                                                   UnixMs since_ms);
/// How long people took for each yes since then that had an effect, in milliseconds, ascending.
Result<std::vector<std::int64_t>> yes_durations_ms(Database& db, std::string_view agent_id,
                                                   UnixMs since_ms);
/// How many questions since then were edited before they were answered.
Result<std::int64_t> count_edited(Database& db, std::string_view agent_id, UnixMs since_ms);

}  // namespace a2h::store
