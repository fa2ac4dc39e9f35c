#include "core/base/time_text.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace a2h {
namespace {

using std::chrono::milliseconds;
using LocalMs = std::chrono::sys_time<milliseconds>;

struct Parts {
    int year, month, day, hour, minute, second, millisecond;
};

Parts split(UnixMs time_ms) {
    const LocalMs time{milliseconds(time_ms)};
    const auto day = std::chrono::floor<std::chrono::days>(time);
    const std::chrono::year_month_day date(day);
    const std::chrono::hh_mm_ss clock(time - day);
    return {static_cast<int>(date.year()),
            static_cast<int>(static_cast<unsigned>(date.month())),
            static_cast<int>(static_cast<unsigned>(date.day())),
            static_cast<int>(clock.hours().count()),
            static_cast<int>(clock.minutes().count()),
            static_cast<int>(clock.seconds().count()),
            static_cast<int>(clock.subseconds().count())};
}

/// Reads exactly `width` digits at `position` and moves past them; -1 if there are fewer.
int read_digits(std::string_view text, std::size_t& position, std::size_t width) {
    if (text.size() - position < width) return -1;
    int value = 0;
    for (std::size_t i = 0; i < width; ++i) {
        const char c = text[position + i];
        if (c < '0' || c > '9') return -1;
        value = value * 10 + (c - '0');
    }
    position += width;
    return value;
}

bool skip(std::string_view text, std::size_t& position, char wanted) {
    if (position >= text.size() || text[position] != wanted) return false;
    ++position;
    return true;
}

/// Reads ".123456" into milliseconds; digits after the third are dropped.
int read_fraction(std::string_view text, std::size_t& position) {
    int value = 0;
    int scale = 100;
    const std::size_t start = position;
    while (position < text.size() && text[position] >= '0' && text[position] <= '9') {
        value += (text[position] - '0') * scale;
        scale /= 10;
        ++position;
    }
    return position == start ? -1 : value;
}

constexpr int kBadOffset = -100000;
/// Reads `Z` or `+08:00` as minutes east of UTC; `kBadOffset` if it is neither.
int read_offset(std::string_view text, std::size_t& position) {
    if (skip(text, position, 'Z')) return 0;
    const bool west = position < text.size() && text[position] == '-';
    if (!west && (position >= text.size() || text[position] != '+')) return kBadOffset;
    ++position;
    const int hours = read_digits(text, position, 2);
    skip(text, position, ':');
    const int minutes = read_digits(text, position, 2);
    if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return kBadOffset;
    return (west ? -1 : 1) * (hours * 60 + minutes);
}

/// Writes `value` over the `count` characters from `begin` on. Several times as fast as printf,
/// which matters because every row of an answer contains two times.
void put_digits(std::string& text, std::size_t begin, std::size_t count, int value) {
    for (std::size_t i = begin + count; i > begin; value /= 10)
        text[--i] = static_cast<char>('0' + value % 10);
}

std::tm local_parts(UnixMs time_ms) {
    const std::time_t seconds =
        std::chrono::floor<std::chrono::seconds>(milliseconds(time_ms)).count();
    std::tm local{};
    localtime_r(&seconds, &local);
    return local;
}

}  // namespace

std::string to_envelope_time(UnixMs time_ms) {
    constexpr UnixMs kBeijingOffsetMs = 8LL * 3600 * 1000;
    const Parts p = split(time_ms + kBeijingOffsetMs);
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, "%04d-%02d-%02dT%02d:%02d:%02d.%03d+08:00", p.year,
                  p.month, p.day, p.hour, p.minute, p.second, p.millisecond);
    return buffer;
}

std::string to_utc_time(UnixMs time_ms) {
    const Parts p = split(time_ms);
    std::string text = "0000-00-00T00:00:00Z";
    put_digits(text, 0, 4, std::clamp(p.year, 0, 9'999));
    put_digits(text, 5, 2, p.month);
    put_digits(text, 8, 2, p.day);
    put_digits(text, 11, 2, p.hour);
    put_digits(text, 14, 2, p.minute);
    put_digits(text, 17, 2, p.second);
    return text;
}

std::string to_local_second(UnixMs time_ms) {
    const std::tm local = local_parts(time_ms);
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, "%04d-%02d-%02d %02d:%02d:%02d", local.tm_year + 1900,
                  local.tm_mon + 1, local.tm_mday, local.tm_hour, local.tm_min, local.tm_sec);
    return buffer;
}

std::string to_local_time(UnixMs time_ms) {
    const std::tm local = local_parts(time_ms);
    const long offset_minutes = local.tm_gmtoff / 60;
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, "%04d-%02d-%02d %02d:%02d %c%02ld:%02ld",
                  local.tm_year + 1900, local.tm_mon + 1, local.tm_mday, local.tm_hour,
                  local.tm_min, offset_minutes < 0 ? '-' : '+', std::labs(offset_minutes) / 60,
                  std::labs(offset_minutes) % 60);
    return buffer;
}

Result<UnixMs> parse_time(std::string_view text) {
    std::size_t at = 0;
    Parts p{};
    p.year = read_digits(text, at, 4);
    bool good = p.year >= 0 && skip(text, at, '-') && (p.month = read_digits(text, at, 2)) >= 1 &&
                skip(text, at, '-') && (p.day = read_digits(text, at, 2)) >= 1 &&
                (skip(text, at, 'T') || skip(text, at, ' ')) &&
                (p.hour = read_digits(text, at, 2)) >= 0 && skip(text, at, ':') &&
                (p.minute = read_digits(text, at, 2)) >= 0 && skip(text, at, ':') &&
                (p.second = read_digits(text, at, 2)) >= 0;
    if (good && skip(text, at, '.')) good = (p.millisecond = read_fraction(text, at)) >= 0;
    const int offset_minutes = good ? read_offset(text, at) : kBadOffset;
    const std::chrono::year_month_day date(std::chrono::year(p.year),
                                           std::chrono::month(static_cast<unsigned>(p.month)),
                                           std::chrono::day(static_cast<unsigned>(p.day)));
    if (offset_minutes == kBadOffset || at != text.size() || !date.ok() || p.hour > 23 ||
        p.minute > 59 || p.second > 60) {
        return fail(ErrorCode::InvalidArgument,
                    "\"" + std::string(text.substr(0, 40)) + "\" is not an ISO 8601 time");
    }
    const LocalMs day = std::chrono::sys_days(date);
    const UnixMs time_ms = day.time_since_epoch().count() +
                           ((p.hour * 60LL + p.minute - offset_minutes) * 60 + p.second) * 1000 +
                           p.millisecond;
    if (time_ms <= kTimeMaxMs) return time_ms;
    return fail(ErrorCode::InvalidArgument, "the time is after the year 9999");
}

Result<UnixMs> parse_day_or_time(std::string_view text) {
    constexpr std::size_t kDaySize = 10;
    constexpr std::size_t kSizeMax = 40;
    if (text.size() == kDaySize) return parse_time(std::string(text) + "T00:00:00Z");
    if (text.size() <= kSizeMax) return parse_time(text);
    return fail(ErrorCode::InvalidArgument, "the text is too long for an ISO 8601 time");
}

}  // namespace a2h
