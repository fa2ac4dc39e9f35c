#include "core/base/clock.h"

namespace a2h {

UnixMs SystemClock::now_ms() const {
    const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::milliseconds>(since_epoch).count();
}

std::chrono::steady_clock::time_point SystemClock::steady_now() const {
    return std::chrono::steady_clock::now();
}

std::chrono::steady_clock::time_point ManualClock::steady_now() const {
    return std::chrono::steady_clock::time_point(std::chrono::milliseconds(steady_ms_));
}

void ManualClock::advance(std::chrono::milliseconds delta) {
    now_ms_ += delta.count();
    steady_ms_ += delta.count();
}

}  // namespace a2h
