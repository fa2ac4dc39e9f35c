#pragma once

#include <atomic>
#include <chrono>
#include <functional>
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

/// How one request of a listening channel ended. Empty: it brought nothing new.
enum class Heard { Failed, Empty, Something };

/// Repeats long requests. After each failure in a row it waits longer, 2, 4, 8 … 120 s. A request
/// that brought nothing and ended before `kShortest` counts as a failure, because a server or a
/// proxy that closes each stream at once would otherwise be asked thousands of times a second.
class Patience {
  public:
    static constexpr std::chrono::seconds kShortest{5};

    explicit Patience(const std::atomic<bool>& stop) : stop_(stop) {}
    /// Calls `request` until stopping; a wait ends then.
    void repeat(const std::function<Heard()>& request);

  private:
    void wait();

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
