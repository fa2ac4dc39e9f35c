#include "daemon/consent/pin_lock.h"

#include <algorithm>
#include <chrono>

#include "core/domain/person.h"
#include "core/store/setting_store.h"
#include "daemon/consent/limits.h"

namespace a2h::consent {
namespace {

constexpr std::string_view kNoSingleAgent;
constexpr std::string_view kPinFailuresKey = "pin.failures";
constexpr std::string_view kPinLockedUntilKey = "pin.locked_until_ms";
constexpr std::int64_t kPinLockMs = std::chrono::milliseconds(kPinLock).count();

Result<void> put_pin_number(store::Database& db, std::string_view what, std::string_view person,
                            std::int64_t value) {
    return store::put_number(db, kNoSingleAgent, pin_setting(what, person), value);
}

}  // namespace

Result<std::optional<UnixMs>> pin_locked_until(store::Database& db, std::string_view person,
                                               UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(
        const auto until,
        store::get_number(db, kNoSingleAgent, pin_setting(kPinLockedUntilKey, person)));
    if (until <= now_ms) return std::optional<UnixMs>();
    return std::optional<UnixMs>(std::min(until, now_ms + kPinLockMs));
}

Result<std::optional<UnixMs>> keep_pin_lock(store::Database& db, std::string_view person,
                                            UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(const auto until, pin_locked_until(db, person, now_ms));
    if (until) A2H_TRY(put_pin_number(db, kPinLockedUntilKey, person, *until));
    return until;
}

Result<WrongPin> count_wrong_pin(store::Database& db, std::string_view person, UnixMs now_ms) {
    A2H_ASSIGN_OR_RETURN(
        const auto failures,
        store::get_number(db, kNoSingleAgent, pin_setting(kPinFailuresKey, person)));
    const std::int64_t count = failures + 1;
    if (count < kPinFailuresMax) {
        A2H_TRY(put_pin_number(db, kPinFailuresKey, person, count));
        return WrongPin{.left = static_cast<int>(kPinFailuresMax - count)};
    }
    const UnixMs until = now_ms + kPinLockMs;
    A2H_TRY(put_pin_number(db, kPinFailuresKey, person, 0));
    A2H_TRY(put_pin_number(db, kPinLockedUntilKey, person, until));
    return WrongPin{.locked_until = until};
}

Result<void> forget_wrong_pins(store::Database& db, std::string_view person) {
    return put_pin_number(db, kPinFailuresKey, person, 0);
}

std::string pin_setting(std::string_view what, std::string_view person) {
    // `kOwner` keeps the names from the time when there was only one PIN.
    return std::string(what) + (person == kOwner ? "" : "." + std::string(person));
}

}  // namespace a2h::consent
