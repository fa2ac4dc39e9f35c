#include "core/mqtt/reconnect.h"

#include <algorithm>

namespace a2h::mqtt {

using std::chrono::milliseconds;

void ReconnectSchedule::connected(TimePoint now) {
    connected_at_ = now;
    if (!last_loss_was_takeover_) return;
    takeover_reconnects_.push_back(now);
    if (takeover_reconnects_.size() > static_cast<std::size_t>(options_.takeover_reconnects)) {
        takeover_reconnects_.pop_front();
    }
}

milliseconds ReconnectSchedule::lost(Loss loss, TimePoint now, double random) {
    note_loss(loss, now);
    // After an accepted connection the delays start again, except if we closed it because our own
    // disk is full: reconnecting at once would only deliver the same message again.
    if (connected_at_ && loss != Loss::NotStored) failures_ = 0;
    connected_at_.reset();

    milliseconds delay = options_.takeover_delay;
    if (!taken_over_) {
        delay = options_.first_delay;
        for (int i = 0; i < failures_ && delay < options_.delay_max; ++i)
            delay *= 2;
        delay = std::min(delay, options_.delay_max);
        ++failures_;
    }
    const double factor = 1.0 + options_.jitter * (2.0 * random - 1.0);
    return milliseconds(
        static_cast<milliseconds::rep>(static_cast<double>(delay.count()) * factor));
}

void ReconnectSchedule::note_loss(Loss loss, TimePoint now) {
    last_loss_was_takeover_ = looks_taken_over(loss, now);
    if (!last_loss_was_takeover_) {
        // While another client is assumed, only a connection that lasts ends that assumption.
        takeover_reconnects_.clear();
        return;
    }
    while (!takeover_reconnects_.empty() &&
           now - takeover_reconnects_.front() > options_.takeover_window) {
        takeover_reconnects_.pop_front();
    }
    if (takeover_reconnects_.size() >= static_cast<std::size_t>(options_.takeover_reconnects)) {
        taken_over_ = true;
    }
}

bool ReconnectSchedule::looks_taken_over(Loss loss, TimePoint now) const {
    switch (loss) {
        case Loss::TakenOver:
            return true;
        case Loss::Closed:
            return connected_at_ && now - *connected_at_ < options_.short_lived;
        case Loss::ConnectFailed:
        case Loss::Refused:
        case Loss::Rejected:
        case Loss::Deaf:
        case Loss::NotStored:
            return false;
    }
    return false;
}

std::optional<ReconnectSchedule::TimePoint> ReconnectSchedule::settles_at() const {
    if (!taken_over_ || !connected_at_) return std::nullopt;
    return *connected_at_ + options_.takeover_window;
}

void ReconnectSchedule::settle(TimePoint now) {
    const auto at = settles_at();
    if (!at || now < *at) return;
    taken_over_ = false;
    last_loss_was_takeover_ = false;
    takeover_reconnects_.clear();
}

}  // namespace a2h::mqtt
