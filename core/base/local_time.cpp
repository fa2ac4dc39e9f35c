#include "core/base/local_time.h"

#include <ctime>

namespace a2h {
namespace {

/// The midnight before `time_ms`, or the one before the Monday of its week.
UnixMs midnight(UnixMs time_ms, bool of_week) {
    const UnixMs second = time_ms >= 0 ? time_ms / 1000 : (time_ms - 999) / 1000;
    const auto time = static_cast<std::time_t>(second);
    std::tm local{};
    localtime_r(&time, &local);
    constexpr int kDaysOfWeek = 7;
    constexpr int kSundayToMonday = 6;
    if (of_week) local.tm_mday -= (local.tm_wday + kSundayToMonday) % kDaysOfWeek;
    local.tm_hour = 0;
    local.tm_min = 0;
    local.tm_sec = 0;
    local.tm_isdst = -1;
    return UnixMs{std::mktime(&local)} * 1000;
}

}  // namespace

UnixMs start_of_local_day(UnixMs time_ms) {
    return midnight(time_ms, false);
}

UnixMs start_of_local_week(UnixMs time_ms) {
    return midnight(time_ms, true);
}

}  // namespace a2h
