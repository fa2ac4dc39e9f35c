#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <string>

#include "core/base/clock.h"
#include "tests/support/clock_page.h"

namespace a2h::test {

/// The clocks of whole programs, which a test sets and speeds up: a library that is loaded before
/// all others returns the test's time and cuts their waits, including those of libcurl, Paho and
/// mosquitto. Programs with the same `environment` share one clock. Tests that use it link
/// `a2h_test_clock`. Thread: one.
class ProcessClock {
  public:
    /// Shows the machine's time at first. Creates `file`, which must outlive the programs.
    explicit ProcessClock(const std::filesystem::path& file);
    ~ProcessClock();
    ProcessClock(const ProcessClock&) = delete;
    ProcessClock& operator=(const ProcessClock&) = delete;

    /// Environment with which a program uses this clock.
    std::map<std::string, std::string> environment() const;

    /// From now on `rate` seconds pass in a real one, on every clock.
    void run_at(int rate);
    /// Sets the wall clock, as an operator or NTP does; the steady clock goes on.
    void jump(std::chrono::seconds by);

    UnixMs now_ms() const;
    /// Steady time since this object was created.
    std::chrono::milliseconds elapsed() const;

  private:
    ClockReading reading() const;
    void write(std::int64_t wall_step_ns, std::int64_t rate);

    std::filesystem::path file_;
    ClockPage* page_ = nullptr;
    std::int64_t begun_ns_ = 0;
};

}  // namespace a2h::test
