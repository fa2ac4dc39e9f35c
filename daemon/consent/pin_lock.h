#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/store/database.h"

namespace a2h::consent {

// Wrong PINs are counted for each person, and `kPinFailuresMax` (limits.h) of them lock the PIN of
// that person for `kPinLock`. Everything that writes runs in the caller's transaction.
//
// Thread:  the store writer, unless a function says otherwise.

/// Until when the PIN of `person` is locked; nullopt if it is not. To be checked before the slow
/// check of the PIN.
///
/// Errors:  those of the store.
/// Thread:  that of `db`.
Result<std::optional<UnixMs>> pin_locked_until(store::Database& db, std::string_view person,
                                               UnixMs now_ms);
/// Returns `pin_locked_until` and stores it, because a wall clock that was set back must not extend
/// the lock.
///
/// Errors:  those of the store.
Result<std::optional<UnixMs>> keep_pin_lock(store::Database& db, std::string_view person,
                                            UnixMs now_ms);

/// The consequence of a wrong PIN.
struct WrongPin {
    int left = 0;                          ///< so many more lock the PIN
    std::optional<UnixMs> locked_until{};  ///< this one has locked it
};

/// Counts a wrong PIN of `person`.
///
/// Errors:  those of the store.
Result<WrongPin> count_wrong_pin(store::Database& db, std::string_view person, UnixMs now_ms);
/// Resets the count, because `person` was proved.
///
/// Errors:  those of the store.
Result<void> forget_wrong_pins(store::Database& db, std::string_view person);

/// The name of the setting `what` about the PIN of `person`, of no single agent. Pure.
std::string pin_setting(std::string_view what, std::string_view person);

}  // namespace a2h::consent
