#pragma once

#include <chrono>
#include <cstdint>

#include "core/base/clock.h"

namespace a2h::notify {

/// What waits for one person on one channel, and what they were sent there lately.
struct Load {
    std::int64_t due = 0;        ///< rows
    std::int64_t high = 0;       ///< of them, priority High
    std::int64_t collected = 0;  ///< of them, held back to be told together
    std::int64_t sent = 0;       ///< messages in the last hour
    UnixMs oldest_sent_ms = 0;   ///< of those
    UnixMs last_group_ms = 0;    ///< when many things were last told as one; 0: never
    int per_hour_max = 0;        ///< 0: no limit
};

/// What to do next: one message for the most urgent row, one for all of them, or nothing until
/// `until_ms`.
struct Plan {
    enum class Kind { Single, Group, Wait };
    Kind kind = Kind::Single;
    UnixMs until_ms = 0;
};

/// Nobody gets more than `per_hour_max` messages in any hour, and the last place of an hour is kept
/// for telling the rest as one. A few things at once come one by one, each with its buttons; more
/// come as one message, and such messages at least `kGroupEvery` apart. High goes first.
Plan plan(const Load& load, UnixMs now_ms);

inline constexpr std::int64_t kSinglesMax = 3;
inline constexpr std::chrono::minutes kGroupEvery{1};

}  // namespace a2h::notify
