#include "core/base/clock.h"

namespace a2h {

UnixMs SystemClock::now_ms() const {
    const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::milliseconds>(since_epoch).count();
}

std::chrono::steady_clock::time_point SystemClock::steady_now() const {
    return std::chrono::steady_clock::now();
}

}  // namespace a2h
