#include "daemon/consent/code_lock.h"

#include <algorithm>
#include <string_view>

#include "core/store/setting_store.h"
#include "daemon/consent/limits.h"

namespace a2h::consent {
namespace {

constexpr std::string_view kAllAgents;  // the settings of the whole daemon
constexpr std::string_view kFailures = "code.failures";
constexpr std::string_view kLastFailure = "code.last_failure_ms";
constexpr std::string_view kLocks = "code.locks";
constexpr std::string_view kLockedUntil = "code.locked_until_ms";

template <typename Duration>
constexpr std::int64_t ms(Duration duration) {
    return std::chrono::milliseconds(duration).count();
}

/// The duration of a lock after `locks` earlier ones.
std::int64_t lock_ms(std::int64_t locks) {
    std::int64_t length = ms(kCodeLock);
    for (std::int64_t i = 0; i < locks && length < ms(kCodeLockMax); ++i)
        length *= 2;
    return std::min(length, ms(kCodeLockMax));
}

Result<void> forget_if_old(store::Database& db, UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(const auto last, store::get_number(db, kAllAgents, kLastFailure));
    if (now_ms - last < ms(kCodesForgottenAfter)) return {};
    for (const std::string_view key : {kFailures, kLocks, kLockedUntil})
        A2H_TRY(store::put_number(db, kAllAgents, key, 0));
    return {};
}

Result<UnixMs> lock(store::Database& db, UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(const auto locks, store::get_number(db, kAllAgents, kLocks));
    const UnixMs until = now_ms + lock_ms(locks);
    A2H_TRY(store::put_number(db, kAllAgents, kFailures, 0));
    A2H_TRY(store::put_number(db, kAllAgents, kLocks, locks + 1));
    A2H_TRY(store::put_number(db, kAllAgents, kLockedUntil, until));
    return until;
}

}  // namespace

Result<std::optional<UnixMs>> codes_locked_until(store::Database& db, UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(const auto until, store::get_number(db, kAllAgents, kLockedUntil));
    if (until <= now_ms) return std::optional<UnixMs>();
    // A wall clock that was set back must not extend the lock.
    const UnixMs latest = std::min(until, now_ms + ms(kCodeLockMax));
    A2H_TRY(store::put_number(db, kAllAgents, kLockedUntil, latest));
    return std::optional<UnixMs>(latest);
}

Result<std::optional<UnixMs>> count_wrong_code(store::Database& db, UnixMs now_ms) {
    A2H_TRY(forget_if_old(db, now_ms));
    A2H_ASSIGN_OR_RETURN(const auto failures, store::get_number(db, kAllAgents, kFailures));
    A2H_TRY(store::put_number(db, kAllAgents, kLastFailure, now_ms));
    if (failures + 1 < kWrongCodesMax) {
        A2H_TRY(store::put_number(db, kAllAgents, kFailures, failures + 1));
        return std::optional<UnixMs>();
    }
    A2H_ASSIGN_OR_RETURN(const auto until, lock(db, now_ms));
    return std::optional<UnixMs>(until);
}

Result<void> open_code_lock(store::Database& db, UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(const auto until, store::get_number(db, kAllAgents, kLockedUntil));
    if (until <= now_ms) return {};
    A2H_TRY(store::put_number(db, kAllAgents, kLockedUntil, 0));
    return store::put_number(db, kAllAgents, kFailures, kWrongCodesMax - 1);
}

}  // namespace a2h::consent
