#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/store/database.h"

namespace a2h::consent {

/// Ends the job that waited for a human, because of `why`. 0, unknown and finished jobs are
/// ignored.
///
/// Errors:  those of the store.
/// Thread:  the store writer.
Result<void> settle_job(store::Database& db, std::int64_t job_id, std::string_view why,
                        UnixMs now_ms);

/// The trace id of the message that caused the job; a new one if there is none, or if it could be
/// words.
///
/// Errors:  those of the store.
/// Thread:  that of `db`.
Result<std::string> trace_of_job(store::Database& db, std::int64_t job_id, UnixMs now_ms);

}  // namespace a2h::consent
