#pragma once

#include <chrono>
#include <cstdint>

#include "core/base/clock.h"

namespace a2h::notify {

// When notifications are sent. Pure; times are unix ms.
//
// Thread:  any.

/// The messages that wait for one person on one channel, and those sent there recently.
struct Load {
    std::int64_t due = 0;        ///< waiting rows
    std::int64_t high = 0;       ///< those of priority High
    std::int64_t collected = 0;  ///< those held back to be sent together
    std::int64_t sent = 0;       ///< messages in the last hour
    UnixMs oldest_sent_ms = 0;   ///< the oldest of them
    UnixMs last_group_ms = 0;    ///< when a group was last sent as one message; 0: never
    int per_hour_max = 0;        ///< 0: no limit
};

/// The next step: send the most urgent row, send all as one message, or nothing until `until_ms`.
struct Plan {
    enum class Kind { Single, Group, Wait };
    Kind kind = Kind::Single;
    UnixMs until_ms = 0;
};

/// Limits messages to `per_hour_max` in any hour; the last one of an hour is reserved for sending
/// the rest together. A few rows at once are sent one by one, each with its buttons; more are sent
/// as one message, at least `kGroupEvery` after the previous such message. High goes first.
Plan plan(const Load& load, UnixMs now_ms);

inline constexpr std::int64_t kSinglesMax = 3;
inline constexpr std::chrono::minutes kGroupEvery{1};

}  // namespace a2h::notify
