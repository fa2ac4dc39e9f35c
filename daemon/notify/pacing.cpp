#include "daemon/notify/pacing.h"

#include <algorithm>

namespace a2h::notify {
namespace {

using std::chrono::milliseconds;

constexpr std::int64_t kPacingHourMs = milliseconds(std::chrono::hours(1)).count();

Plan group(const Load& load, UnixMs now_ms) {
    const UnixMs earliest_ms = load.last_group_ms + milliseconds(kGroupEvery).count();
    if (load.last_group_ms > 0 && now_ms < earliest_ms) return {Plan::Kind::Wait, earliest_ms};
    return {Plan::Kind::Group, 0};
}

}  // namespace

Plan plan(const Load& load, UnixMs now_ms) {
    const bool limited = load.per_hour_max > 0;
    if (limited && load.sent >= load.per_hour_max) {
        return {Plan::Kind::Wait, std::max(load.oldest_sent_ms + kPacingHourMs, now_ms + 1)};
    }
    const bool last_place = limited && load.sent + 1 >= load.per_hour_max;
    if (load.due > 1 && last_place) return {Plan::Kind::Group, 0};
    if (load.high > 0 && load.high <= kSinglesMax) return {};
    if (load.due > kSinglesMax || (load.collected > 0 && load.due > 1)) return group(load, now_ms);
    return {};
}

}  // namespace a2h::notify
