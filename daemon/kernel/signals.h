#pragma once

#include <csignal>
#include <functional>
#include <thread>

namespace a2h {

/// Turns SIGTERM, SIGINT and SIGHUP into calls. Construct before any other thread: the signals are
/// blocked in the constructing thread and in all that it starts; SIGPIPE is ignored for good.
class SignalWaiter {
  public:
    /// Both run on the waiter's thread: `on_stop` once, and nothing after it; `on_hangup` at each
    /// SIGHUP.
    SignalWaiter(std::function<void()> on_stop, std::function<void()> on_hangup);
    ~SignalWaiter();
    SignalWaiter(const SignalWaiter&) = delete;
    SignalWaiter& operator=(const SignalWaiter&) = delete;

  private:
    sigset_t signals_{};
    std::thread thread_;
};

}  // namespace a2h
