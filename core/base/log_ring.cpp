#include "core/base/log_ring.h"

#include <algorithm>

namespace a2h::log {

bool Ring::take(const Event& event) {
    Kept kept{0, event.at_ms, event.level, event.text()};
    if (kept.text.size() > kEventBytesMax) kept.text.resize(kEventBytesMax);
    state_.with([&](State& state) {
        kept.number = ++state.last;
        state.bytes += kept.text.size();
        state.events.push_back(std::move(kept));
        while (state.events.size() > kEventsMax || state.bytes > kBytesMax) {
            state.bytes -= state.events.front().text.size();
            state.events.pop_front();
        }
    });
    return true;
}

Ring::Reading Ring::read(std::int64_t after, Level level, std::size_t count) const {
    Reading reading;
    std::vector<Kept>& found = reading.events;
    state_.with([&](const State& state) {
        for (auto event = state.events.rbegin();
             event != state.events.rend() && event->number > after && found.size() < count;
             ++event) {
            if (event->level <= level) found.push_back(*event);
        }
        reading.last = state.last;
    });
    std::reverse(found.begin(), found.end());
    return reading;
}

}  // namespace a2h::log
