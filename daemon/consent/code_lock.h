#pragma once

#include <chrono>
#include <optional>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/store/database.h"

namespace a2h::consent {

// Wrong six-digit codes of all questions and all people are counted together, because a guess does
// not say whose code it was meant to be. Everything runs in the caller's transaction.
//
// Thread:  the store writer.

/// The first lock, after `kWrongCodesMax` (limits.h) wrong codes. Each further one lasts twice as
/// long, up to a day.
constexpr std::chrono::minutes kCodeLock{15};
constexpr std::chrono::hours kCodeLockMax{24};
/// After this time without a wrong code, the counts are reset.
constexpr std::chrono::hours kCodesForgottenAfter{24 * 7};

/// Until when codes are locked; nullopt if they are not.
///
/// Errors:  those of the store.
Result<std::optional<UnixMs>> codes_locked_until(store::Database& db, UnixMs now_ms);
/// Counts a wrong code. Returns the end of the lock if this one has locked all codes.
///
/// Errors:  those of the store.
Result<std::optional<UnixMs>> count_wrong_code(store::Database& db, UnixMs now_ms);
/// Opens the lock because somebody has proved their PIN. The next wrong code locks again, for twice
/// as long, because a PIN that is used every day must not hide guesses.
///
/// Errors:  those of the store.
Result<void> open_code_lock(store::Database& db, UnixMs now_ms);

}  // namespace a2h::consent
