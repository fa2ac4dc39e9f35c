#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "core/base/current.h"
#include "core/base/poster.h"
#include "daemon/notify/notification_queue.h"
#include "daemon/notify/notifier.h"

namespace a2h::notify {

/// Waits longer after each failure in a row, 2, 4, 8 … 120 s; returns at once when stopping.
class Patience {
  public:
    explicit Patience(const std::atomic<bool>& stop) : stop_(stop) {}
    void reset() { failures_ = 0; }
    void wait();

  private:
    const std::atomic<bool>& stop_;
    int failures_ = 0;
};

/// One line of ASCII; other characters become `_`.
std::string header_value(std::string_view text);

/// One thread for each channel that listens, so that a long poll blocks no worker.
class Listeners {
  public:
    /// `answer` must be valid as long as this object lives.
    Listeners(const Channels& channels, AnswerClick answer);
    /// Starts to stop all threads and returns at once, which shortens the wait of the destructor.
    void stop() { stop_ = true; }
    /// Stops all threads; takes at most 2 s, or as long as an answer takes.
    ~Listeners();
    Listeners(const Listeners&) = delete;
    Listeners& operator=(const Listeners&) = delete;

  private:
    std::atomic<bool> stop_{false};
    std::vector<std::thread> threads_;
};

/// Listens to the channels of the current audience.
///
/// Thread:  the loop.
class ChannelListeners {
  public:
    ChannelListeners(const Current<Audience>& audience, Runner& workers, Buttons& buttons)
        : audience_(audience), workers_(workers), buttons_(buttons) {}

    /// Starts to listen to the current channels instead of the earlier ones.
    void restart();
    /// Stops all; takes at most 2 s, or as long as an answer takes.
    void stop() { listeners_.reset(); }

  private:
    const Current<Audience>& audience_;
    Runner&
        workers_;  ///< one of them waits for the earlier listeners to stop, which takes up to 2 s
    Buttons& buttons_;
    std::unique_ptr<Listeners> listeners_;
};

}  // namespace a2h::notify
