#pragma once

#include <chrono>
#include <cstdint>

namespace a2h {

/// Milliseconds since 1970-01-01 UTC, as the database and the wire store time.
using UnixMs = std::int64_t;

/// The last millisecond of the year 9999, the latest that ISO 8601 can express.
inline constexpr UnixMs kTimeMaxMs = 253'402'300'799'999;

/// Whether a number from outside is a time in the years 1970 to 9999. Such times can be compared,
/// subtracted and shifted by years without overflow; other numbers are not accepted as times.
constexpr bool is_time(std::int64_t time_ms) {
    return time_ms >= 0 && time_ms <= kTimeMaxMs;
}

/// The source of time. Everything that compares or stores time takes one, so that tests control the
/// time.
///
/// Thread:  any.
class Clock {
  public:
    virtual ~Clock() = default;

    /// Wall clock; may jump if the machine's clock is set.
    virtual UnixMs now_ms() const = 0;

    /// Never goes back; only differences have a meaning. For delays and time-outs.
    virtual std::chrono::steady_clock::time_point steady_now() const = 0;
};

/// The machine's clocks.
class SystemClock final : public Clock {
  public:
    UnixMs now_ms() const override;
    std::chrono::steady_clock::time_point steady_now() const override;
};

}  // namespace a2h
