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

/// Waits longer after each failure in a row, 2, 4, 8 … 120 s, and not at all once it shall stop.
class Patience {
  public:
    explicit Patience(const std::atomic<bool>& stop) : stop_(stop) {}
    void reset() { failures_ = 0; }
    void wait();

  private:
    const std::atomic<bool>& stop_;
    int failures_ = 0;
};

/// One line of ASCII, anything else `_`.
std::string header_value(std::string_view text);

/// One thread for each channel that listens, so that a long poll holds no worker.
class Listeners {
  public:
    /// `answer` must work until this object is gone.
    Listeners(const Channels& channels, AnswerClick answer);
    /// Begins to end all and returns at once; the destructor has less to wait for then.
    void stop() { stop_ = true; }
    /// Ends all; at most 2 s, or as long as an answer takes.
    ~Listeners();
    Listeners(const Listeners&) = delete;
    Listeners& operator=(const Listeners&) = delete;

  private:
    std::atomic<bool> stop_{false};
    std::vector<std::thread> threads_;
};

/// Listens to the channels of the present audience. Thread: the loop.
class ChannelListeners {
  public:
    ChannelListeners(const Current<Audience>& audience, Runner& workers, Buttons& buttons)
        : audience_(audience), workers_(workers), buttons_(buttons) {}

    /// Begins to listen, to the channels of now instead of those before.
    void restart();
    /// Ends all; at most 2 s, or as long as an answer takes.
    void stop() { listeners_.reset(); }

  private:
    const Current<Audience>& audience_;
    Runner& workers_;  ///< one of them waits for the end of those before, which takes up to 2 s
    Buttons& buttons_;
    std::unique_ptr<Listeners> listeners_;
};

}  // namespace a2h::notify
