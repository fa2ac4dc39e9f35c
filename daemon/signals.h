#pragma once

#include <csignal>
#include <functional>
#include <thread>

namespace a2h {

/// Turns SIGTERM and SIGINT into a call. Construct before any other thread: the signals are blocked
/// in the constructing thread and in all that it starts; SIGPIPE is ignored for good.
class SignalWaiter {
  public:
    /// `on_stop` runs on the waiter's thread, once.
    explicit SignalWaiter(std::function<void()> on_stop);
    ~SignalWaiter();
    SignalWaiter(const SignalWaiter&) = delete;
    SignalWaiter& operator=(const SignalWaiter&) = delete;

  private:
    sigset_t signals_{};
    std::thread thread_;
};

}  // namespace a2h
