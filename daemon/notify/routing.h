#pragma once

#include <chrono>
#include <vector>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/domain/notification.h"
#include "core/domain/person.h"
#include "core/store/database.h"

namespace a2h::notify {

/// If a step of a person's channels has not succeeded within this time, the next one is used too.
inline constexpr std::chrono::seconds kStepTime{30};

/// When a person is notified. `held` means later, together with other notifications.
struct DueTime {
    UnixMs at_ms = 0;
    bool held = false;
};

/// High is sent at once. Everything else waits for the end of quiet hours and for the person's
/// digest: the next full hour, or 09:00. `offset_minutes` is local time minus UTC.
DueTime due_time(const Person& person, Priority priority, UnixMs now_ms, int offset_minutes);

/// The offset of the machine's time zone at that time.
int utc_offset_minutes(UnixMs now_ms);

enum class Recipients { Everybody, NamedPerson };

/// Writes the rows of one piece of news for everybody in `people`, or only for `news.person`: the
/// first step queued, later steps waiting, all with the same `news`. A person without a channel for
/// this priority gets none. News for a later time, `not_before_ms`, counts as created then.
///
/// Errors:  those of the store.
/// Thread:  the store writer.
Result<void> route(store::Database& db, const Notification& news, const std::vector<Person>& people,
                   Recipients recipients, UnixMs now_ms, UnixMs not_before_ms = 0);

}  // namespace a2h::notify
