#pragma once

#include <csignal>
#include <functional>
#include <thread>

namespace a2h {

/// Blocks SIGTERM, SIGINT and SIGHUP in the constructing thread and all threads that it starts, so
/// that only a `SignalWaiter` receives them. Construct it before any other thread. SIGPIPE is
/// ignored permanently.
class SignalMask {
  public:
    SignalMask();
    const sigset_t& signals() const { return signals_; }

  private:
    sigset_t signals_{};
};

/// Turns signals into calls. Signals that arrived before its construction are not lost.
class SignalWaiter {
  public:
    /// Both functions run on the waiter's thread: `on_stop` once, and nothing after it; `on_hangup`
    /// at each SIGHUP. `mask` must outlive this object.
    SignalWaiter(const SignalMask& mask, std::function<void()> on_stop,
                 std::function<void()> on_hangup);
    ~SignalWaiter();
    SignalWaiter(const SignalWaiter&) = delete;
    SignalWaiter& operator=(const SignalWaiter&) = delete;

  private:
    std::thread thread_;
};

}  // namespace a2h
