#pragma once

#include <chrono>
#include <vector>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/domain/notification.h"
#include "core/domain/person.h"
#include "core/store/database.h"

namespace a2h::notify {

/// A step of a person's channels has this long before the next one is taken as well.
inline constexpr std::chrono::seconds kStepTime{30};

/// When a person is told: `held` means later, together with others.
struct DueTime {
    UnixMs at_ms = 0;
    bool held = false;
};

/// High goes out at once. Everything else waits for the end of quiet hours, and for the person's
/// digest: the next full hour, or 09:00. `offset_minutes`: local time minus UTC.
DueTime due_time(const Person& person, Priority priority, UnixMs now_ms, int offset_minutes);

/// Of the machine's time zone at that moment.
int utc_offset_minutes(UnixMs now_ms);

/// The rows of one piece of news for everybody (or for `news.person` only, when `only` is set): the
/// first step queued, later ones waiting, all with one `news`. Somebody without a channel for this
/// priority gets none. Thread: the store writer.
Result<void> route(store::Database& db, const Notification& news, const std::vector<Person>& people,
                   bool only, UnixMs now_ms);

}  // namespace a2h::notify
