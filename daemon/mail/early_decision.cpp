#include "daemon/mail/early_decision.h"

#include <utility>

namespace a2h::mail {

bool EarlyDecision::give(Write write) {
    const std::lock_guard lock(mutex_);
    if (is_closed_) return false;
    write_ = std::move(write);
    is_closed_ = true;
    changed_.notify_one();
    return true;
}

void EarlyDecision::decline() {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
    changed_.notify_one();
}

EarlyDecision::Write EarlyDecision::take() {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, kWaitMax, [this] { return is_closed_; });
    is_closed_ = true;
    return std::exchange(write_, {});
}

}  // namespace a2h::mail
