#include "daemon/model/breaker.h"

namespace a2h::model {

bool Breaker::may_call(Time now) {
    if (!is_open_) return true;
    if (is_trial_ || now < open_until_) return false;
    is_trial_ = true;
    return true;
}

void Breaker::succeeded() {
    failures_ = 0;
    is_open_ = is_trial_ = false;
}

void Breaker::failed(Time now) {
    // Calls that were in progress when it opened add no information.
    if (is_open_ && !is_trial_) return;
    ++failures_;
    if (!is_trial_ && failures_ < kFailuresMax) return;
    is_open_ = true;
    is_trial_ = false;
    open_until_ = now + kOpenFor;
}

void Breaker::not_made() {
    is_trial_ = false;
}

Breaker::State Breaker::state(Time now) const {
    if (!is_open_) return State::Closed;
    return is_trial_ || now >= open_until_ ? State::Trial : State::Open;
}

}  // namespace a2h::model
