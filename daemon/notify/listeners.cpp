#include "daemon/notify/listeners.h"

#include <algorithm>

namespace a2h::notify {

void Patience::repeat(const std::function<Heard()>& request) {
    while (!stop_) {
        const auto began = std::chrono::steady_clock::now();
        const Heard heard = request();
        const bool was_short = std::chrono::steady_clock::now() - began < kShortest;
        if (heard == Heard::Failed || (heard == Heard::Empty && was_short)) {
            wait();
        } else {
            failures_ = 0;
        }
    }
}

void Patience::wait() {
    using namespace std::chrono_literals;
    failures_ = std::min(failures_ + 1, 7);
    const auto seconds = std::min<std::chrono::seconds>(std::chrono::seconds(1 << failures_), 120s);
    const auto until = std::chrono::steady_clock::now() + seconds;
    while (!stop_ && std::chrono::steady_clock::now() < until)
        std::this_thread::sleep_for(200ms);
}

std::string header_value(std::string_view text) {
    std::string out;
    for (const char c : text.substr(0, 100)) {
        const bool plain = c >= ' ' && c <= '~';
        out += plain ? c : '_';
    }
    return out;
}

Listeners::Listeners(const Channels& channels, AnswerClick answer) {
    for (const auto& channel : channels) {
        if (!channel->listens()) continue;
        threads_.emplace_back([this, channel, answer] { channel->listen(stop_, answer); });
    }
}

Listeners::~Listeners() {
    stop_ = true;
    for (auto& thread : threads_)
        thread.join();
}

void ChannelListeners::restart() {
    auto before = std::make_shared<std::unique_ptr<Listeners>>(std::move(listeners_));
    if (*before) (*before)->stop();
    if (!workers_.submit([before] { before->reset(); })) before->reset();
    listeners_ = std::make_unique<Listeners>(
        audience_->channels,
        [&buttons = buttons_](const Click& click) { return buttons.press(click); });
}

}  // namespace a2h::notify
