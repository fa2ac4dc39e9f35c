#include "daemon/leading/lease.h"

#include <ctime>

#include <algorithm>
#include <string_view>

#include "core/base/enum_names.h"

namespace a2h::leading {

std::chrono::milliseconds boot_time() {
    timespec now{};
    ::clock_gettime(CLOCK_BOOTTIME, &now);
    return std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec));
}

bool LeaseGate::may_act() const {
    return boot_time().count() < until_ms_.load(std::memory_order_acquire);
}

void LeaseGate::open_until(std::chrono::milliseconds boot_time) {
    until_ms_.store(boot_time.count(), std::memory_order_release);
}

constexpr EnumName<Standing> kStandingNames[] = {
    {Standing::Asking, "asking"},
    {Standing::Alone, "alone"},
    {Standing::Leading, "leading"},
    {Standing::Following, "following"},
};
static_assert(names_all(kStandingNames));

std::string_view to_string(Standing standing) {
    return name_of(kStandingNames, standing);
}

Lease::Change Lease::answered(const Result<LeaseAnswer>& answer, Time asked_at) {
    if (!answer) {
        const ErrorCode code = answer.error().code;
        if (code == ErrorCode::NotFound || code == ErrorCode::Unsupported) {
            standing_ = Standing::Alone;
        } else {
            unreachable_ = asked_at >= woke_at_;
        }
        return Change::None;
    }
    unreachable_ = false;
    leader_ = answer->leader;
    const bool led = standing_ == Standing::Leading;
    if (!answer->leads) {
        standing_ = Standing::Following;
        others_seen_ = others_seen_ || !leader_.empty();
        return led ? Change::Lost : Change::None;
    }
    standing_ = Standing::Leading;
    const bool is_new = !led || answer->epoch != epoch_;
    epoch_ = answer->epoch;
    if (asked_at >= woke_at_) held_from_ = asked_at;
    return is_new ? Change::Acquired : Change::None;
}

bool Lease::checked(Time now) {
    const bool slept = checked_at_ != Time{0} && now - checked_at_ > kAwakeFor;
    checked_at_ = now;
    if (!slept) return false;
    woke_at_ = now;
    held_from_ = Time{0};
    unreachable_ = false;
    return true;
}

Lease::Time Lease::acts_until() const {
    if (standing_ == Standing::Alone) return Time::max();
    const Time awake_until = checked_at_ + kAwakeFor;
    // A market that cannot be reached grants no leases to anybody, and an agent that was never
    // shared needs none.
    if (unreachable_ && !others_seen_ && standing_ != Standing::Following) return awake_until;
    if (standing_ != Standing::Leading || held_from_ == Time{0}) return Time{0};
    return std::min(awake_until, held_from_ + (others_seen_ ? kHeldFor : kHeldAlone));
}

}  // namespace a2h::leading
