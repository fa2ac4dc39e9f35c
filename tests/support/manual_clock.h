#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "core/base/clock.h"

namespace a2h {

/// Stands still until it is moved.
class ManualClock final : public Clock {
  public:
    explicit ManualClock(UnixMs now_ms) : now_ms_(now_ms) {}

    UnixMs now_ms() const override { return now_ms_; }
    std::chrono::steady_clock::time_point steady_now() const override {
        return std::chrono::steady_clock::time_point(std::chrono::milliseconds(steady_ms_));
    }

    /// Moves both clocks forward by `delta`.
    void advance(std::chrono::milliseconds delta) {
        now_ms_ += delta.count();
        steady_ms_ += delta.count();
    }
    /// Sets only the wall clock, as an operator or NTP does.
    void set_wall(UnixMs now_ms) { now_ms_ = now_ms; }

  private:
    std::atomic<UnixMs> now_ms_;
    std::atomic<std::int64_t> steady_ms_{0};
};

}  // namespace a2h
