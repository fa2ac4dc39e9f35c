#pragma once

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/store/database.h"

namespace a2h::store {

/// Adjusts retries after the clock was set back: queued outgoing messages and notifications that
/// were written at a later time than `now_ms` wait from now on as long as they were to wait then.
/// What waits for a time of day (quiet hours, a digest) keeps its time. Call inside a transaction.
///
/// Errors:  those of the database.
/// Thread:  that of `db`.
Result<void> resume_retries(Database& db, UnixMs now_ms);

}  // namespace a2h::store
