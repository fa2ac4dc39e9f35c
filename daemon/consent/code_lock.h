#pragma once

#include <chrono>
#include <optional>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/store/database.h"

namespace a2h::consent {

// Wrong six-digit codes of all questions and all people count together: a guess says for nobody
// whose code it was meant to be. All work in the caller's transaction. Thread: the store writer.

/// This many lock every code.
constexpr int kWrongCodesMax = 10;
/// The first lock; each one after it lasts twice as long, up to a day.
constexpr std::chrono::minutes kCodeLock{15};
constexpr std::chrono::hours kCodeLockMax{24};
/// After so long without a wrong code all of it is forgotten.
constexpr std::chrono::hours kCodesForgottenAfter{24 * 7};

/// Until when codes are locked; nullopt: they are not. Errors: those of the store.
Result<std::optional<UnixMs>> codes_locked_until(store::Database& db, UnixMs now_ms);
/// Counts one. The end of the lock when it was one too many. Errors: those of the store.
Result<std::optional<UnixMs>> count_wrong_code(store::Database& db, UnixMs now_ms);
/// Opens the lock, because somebody has shown their PIN: the next wrong code locks again, twice as
/// long. A PIN is used every day, and must neither hide that somebody guesses nor pay for guesses.
Result<void> open_code_lock(store::Database& db, UnixMs now_ms);

}  // namespace a2h::consent
