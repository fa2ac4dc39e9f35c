// Preloaded into a program under test: its clocks show the time of the page that A2H_TEST_CLOCK
// names. A wait with an end is cut into slices, and the clocks are read after each of them, so that
// it ends on time even if they were set meanwhile. A wait for a condition returns between two
// slices as a spurious wake-up, which POSIX allows.
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <bits/atomic_futex.h>
#include <linux/futex.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <ctime>

#include "tests/support/clock_page.h"

namespace {

using a2h::test::ClockPage;
using a2h::test::ClockReading;

constexpr std::int64_t kSecondNs = 1'000'000'000;
constexpr std::int64_t kMillisecondNs = 1'000'000;
constexpr std::int64_t kSliceNs = 5 * kMillisecondNs;
/// Later than any steady time, earlier than any wall-clock time.
constexpr std::time_t kEarliestWall_s = 1'000'000'000;

const ClockPage* page = nullptr;

__attribute__((constructor)) void map_page() {
    const char* file = std::getenv("A2H_TEST_CLOCK");
    const int fd = file == nullptr ? -1 : ::open(file, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return;
    void* memory = ::mmap(nullptr, sizeof(ClockPage), PROT_READ, MAP_SHARED, fd, 0);
    ::close(fd);
    if (memory != MAP_FAILED) page = static_cast<const ClockPage*>(memory);
}

template <typename Function>
Function next_function(const char* name) {
    return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

std::int64_t to_ns(const timespec& time) {
    return time.tv_sec * kSecondNs + time.tv_nsec;
}

timespec to_timespec(std::int64_t ns) {
    return {ns / kSecondNs, ns % kSecondNs};
}

std::int64_t machine_ns(clockid_t clock) {
    timespec now{};
    ::syscall(SYS_clock_gettime, clock, &now);
    return to_ns(now);
}

ClockReading reading() {
    return a2h::test::read_clock(*page, machine_ns(CLOCK_MONOTONIC));
}

/// The time of `clock`; clocks of CPU time are the machine's.
std::int64_t shown_ns(clockid_t clock) {
    if (page == nullptr) return machine_ns(clock);
    switch (clock) {
        case CLOCK_REALTIME:
        case CLOCK_REALTIME_COARSE:
            return reading().wall_ns;
        case CLOCK_MONOTONIC:
        case CLOCK_MONOTONIC_COARSE:
        case CLOCK_MONOTONIC_RAW:
        case CLOCK_BOOTTIME:
            return reading().steady_ns;
        default:
            return machine_ns(clock);
    }
}

/// How long to wait before the clocks are read again.
std::int64_t slice_ns(clockid_t clock, std::int64_t until_ns) {
    const std::int64_t left_ns = std::max<std::int64_t>(until_ns - shown_ns(clock), 0);
    return std::min(kSliceNs, left_ns / reading().rate + 1);
}

/// For poll(2) and similar calls: `wait` takes milliseconds and returns 0 on a time-out.
template <typename Wait>
int wait_in_slices(int timeout_ms, Wait wait) {
    if (page == nullptr || timeout_ms <= 0) return wait(timeout_ms);
    const std::int64_t until_ns = shown_ns(CLOCK_MONOTONIC) + timeout_ms * kMillisecondNs;
    while (true) {
        const std::int64_t slice = slice_ns(CLOCK_MONOTONIC, until_ns);
        const int result = wait(static_cast<int>((slice + kMillisecondNs - 1) / kMillisecondNs));
        if (result != 0 || shown_ns(CLOCK_MONOTONIC) >= until_ns) return result;
    }
}

void sleep_until(std::int64_t until_ns) {
    while (shown_ns(CLOCK_MONOTONIC) < until_ns) {
        const timespec slice = to_timespec(slice_ns(CLOCK_MONOTONIC, until_ns));
        ::syscall(SYS_nanosleep, &slice, nullptr);
    }
}

int wait_for_condition(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                       const timespec* until) {
    using Wait = int (*)(pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec*);
    static const auto wait = next_function<Wait>("pthread_cond_clockwait");
    if (page == nullptr) return wait(condition, mutex, clock, until);
    const timespec slice =
        to_timespec(machine_ns(CLOCK_MONOTONIC) + slice_ns(clock, to_ns(*until)));
    const int result = wait(condition, mutex, CLOCK_MONOTONIC, &slice);
    return result == ETIMEDOUT && shown_ns(clock) < to_ns(*until) ? 0 : result;
}

}  // namespace

extern "C" {

int clock_gettime(clockid_t clock, timespec* now) noexcept {
    *now = to_timespec(shown_ns(clock));
    return 0;
}

int gettimeofday(timeval* __restrict now, void* __restrict) noexcept {
    const std::int64_t ns = shown_ns(CLOCK_REALTIME);
    *now = {ns / kSecondNs, ns % kSecondNs / 1000};
    return 0;
}

std::time_t time(std::time_t* now) noexcept {
    const std::time_t seconds = shown_ns(CLOCK_REALTIME) / kSecondNs;
    if (now != nullptr) *now = seconds;
    return seconds;
}

int poll(pollfd* fds, nfds_t count, int timeout_ms) {
    static const auto wait = next_function<int (*)(pollfd*, nfds_t, int)>("poll");
    return wait_in_slices(timeout_ms, [&](int slice_ms) { return wait(fds, count, slice_ms); });
}

int epoll_wait(int fd, epoll_event* events, int count, int timeout_ms) {
    static const auto wait = next_function<int (*)(int, epoll_event*, int, int)>("epoll_wait");
    return wait_in_slices(timeout_ms,
                          [&](int slice_ms) { return wait(fd, events, count, slice_ms); });
}

/// The kernel's timers use the machine's clocks. Without them Asio waits in `epoll_wait`.
int timerfd_create(int clock, int flags) noexcept {
    if (page == nullptr) return static_cast<int>(::syscall(SYS_timerfd_create, clock, flags));
    errno = ENOSYS;
    return -1;
}

int nanosleep(const timespec* wanted, timespec*) {
    sleep_until(shown_ns(CLOCK_MONOTONIC) + to_ns(*wanted));
    return 0;
}

int usleep(useconds_t wanted_us) {
    sleep_until(shown_ns(CLOCK_MONOTONIC) + std::int64_t{wanted_us} * 1000);
    return 0;
}

int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                           const timespec* until) {
    return wait_for_condition(condition, mutex, clock, until);
}

/// The clock was chosen when the condition was created; the value of the time reveals it.
int pthread_cond_timedwait(pthread_cond_t* __restrict condition, pthread_mutex_t* __restrict mutex,
                           const timespec* __restrict until) {
    const clockid_t clock = until->tv_sec >= kEarliestWall_s ? CLOCK_REALTIME : CLOCK_MONOTONIC;
    return wait_for_condition(condition, mutex, clock, until);
}

}  // extern "C"

/// `std::future::wait_for` waits in this. False: time-out.
bool std::__atomic_futex_unsigned_base::_M_futex_wait_until_steady(unsigned* word, unsigned value,
                                                                   bool has_timeout,
                                                                   chrono::seconds seconds,
                                                                   chrono::nanoseconds rest) {
    const std::int64_t until_ns = (seconds + rest).count();
    const timespec slice = to_timespec(
        has_timeout && page != nullptr ? slice_ns(CLOCK_MONOTONIC, until_ns) : kSliceNs);
    ::syscall(SYS_futex, word, FUTEX_WAIT, value, &slice, nullptr, 0);
    return !has_timeout || shown_ns(CLOCK_MONOTONIC) < until_ns;
}
