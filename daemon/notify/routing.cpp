#include "daemon/notify/routing.h"

#include <algorithm>
#include <ctime>

#include "core/base/ids.h"
#include "core/store/notification_store.h"

namespace a2h::notify {
namespace {

using std::chrono::milliseconds;

constexpr std::int64_t kMinuteMs = 60'000;
constexpr std::int64_t kDigestHourMs = 60 * kMinuteMs;
constexpr int kMinutesADay = 24 * 60;
constexpr int kDailyDigestMinute = 9 * 60;

int minute_of_day(UnixMs time_ms, int offset_minutes) {
    return static_cast<int>((time_ms / kMinuteMs + offset_minutes) % kMinutesADay);
}

/// The next time after `time_ms` at which the local clock shows `minute`.
UnixMs next_at_minute(UnixMs time_ms, int minute, int offset_minutes) {
    const int wait =
        (minute - minute_of_day(time_ms, offset_minutes) + kMinutesADay - 1) % kMinutesADay + 1;
    return (time_ms / kMinuteMs + wait) * kMinuteMs;
}

/// When the person's next digest is due; `now_ms` without a digest.
UnixMs digest_time(const Person& person, UnixMs now_ms, int offset_minutes) {
    switch (person.digest) {
        case Digest::Off:
            break;
        case Digest::Hourly:
            return (now_ms / kDigestHourMs + 1) * kDigestHourMs;
        case Digest::Daily:
            return next_at_minute(now_ms, kDailyDigestMinute, offset_minutes);
    }
    return now_ms;
}

Result<void> insert_steps(store::Database& db, Notification row, const Person::Steps& steps,
                          const DueTime& due) {
    for (std::size_t step = 0; step < steps.size(); ++step) {
        row.step = static_cast<int>(step);
        row.state = step == 0 ? "queued" : "waiting";
        row.next_attempt_ms = due.at_ms + row.step * milliseconds(kStepTime).count();
        for (const std::string& channel : steps[step]) {
            row.channel = channel;
            A2H_TRY(store::insert_notification(db, row));
        }
    }
    return {};
}

}  // namespace

DueTime due_time(const Person& person, Priority priority, UnixMs now_ms, int offset_minutes) {
    if (priority == Priority::High) return {now_ms, false};
    UnixMs at_ms = digest_time(person, now_ms, offset_minutes);
    if (is_quiet(person.quiet, minute_of_day(at_ms, offset_minutes))) {
        at_ms = next_at_minute(at_ms, person.quiet.until_minute, offset_minutes);
    }
    return {at_ms, at_ms > now_ms};
}

int utc_offset_minutes(UnixMs now_ms) {
    const std::time_t seconds = now_ms / 1000;
    std::tm local{};
    localtime_r(&seconds, &local);
    return static_cast<int>(local.tm_gmtoff / 60);
}

Result<void> route(store::Database& db, const Notification& news, const std::vector<Person>& people,
                   Recipients recipients, UnixMs now_ms, UnixMs not_before_ms) {
    const UnixMs news_ms = std::max(now_ms, not_before_ms);
    const int offset_minutes = utc_offset_minutes(news_ms);
    Notification row = news;
    row.news = random_hex(8);
    row.created_at_ms = news_ms;
    row.updated_at_ms = now_ms;
    for (const Person& person : people) {
        if (recipients == Recipients::NamedPerson && person.name != news.person) continue;
        const DueTime due = due_time(person, news.priority, news_ms, offset_minutes);
        row.person = person.name;
        row.held = due.held;
        A2H_TRY(insert_steps(db, row, steps_of(person, news.priority), due));
    }
    return {};
}

}  // namespace a2h::notify
