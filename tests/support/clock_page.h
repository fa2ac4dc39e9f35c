#pragma once

#include <atomic>
#include <cstdint>

namespace a2h::test {

/// The time that the clocks of the programs under test show: a page of memory that `ProcessClock`
/// writes and clock_preload.cpp reads in each of them.
struct ClockPage {
    std::atomic<std::uint32_t> version;   ///< odd while the rest is being written
    std::atomic<std::int64_t> real_ns;    ///< the machine's CLOCK_MONOTONIC at which these held:
    std::atomic<std::int64_t> steady_ns;  ///< what CLOCK_MONOTONIC showed
    std::atomic<std::int64_t> wall_ns;    ///< what CLOCK_REALTIME showed
    std::atomic<std::int64_t> rate;       ///< shown seconds in a real one
};
static_assert(std::atomic<std::int64_t>::is_always_lock_free);

struct ClockReading {
    std::int64_t steady_ns = 0;
    std::int64_t wall_ns = 0;
    std::int64_t rate = 1;
};

/// The time of `page` at `real_ns` of the machine's CLOCK_MONOTONIC. Thread: any, of any process.
inline ClockReading read_clock(const ClockPage& page, std::int64_t real_ns) {
    while (true) {
        const std::uint32_t before = page.version.load();
        const std::int64_t rate = page.rate.load();
        const std::int64_t since_ns = (real_ns - page.real_ns.load()) * rate;
        const ClockReading reading{page.steady_ns.load() + since_ns, page.wall_ns.load() + since_ns,
                                   rate};
        if (before % 2 == 0 && page.version.load() == before) return reading;
    }
}

}  // namespace a2h::test
