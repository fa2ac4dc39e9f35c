#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

namespace a2h {

/// The one way in which another thread hands work to the thread that owns the state.
///
/// `post` may be called from any thread and never blocks; the task runs on the owner's thread,
/// after the caller's. Tasks posted after the owner has stopped are dropped.
class Poster {
  public:
    virtual ~Poster() = default;
    virtual void post(std::function<void()> task) = 0;
};

/// A `Poster` that also knows when to run a task. Thread: any.
class Timers : public Poster {
  public:
    using TimerId = std::uint64_t;

    /// Runs `task` on the owner's thread after `delay`.
    virtual TimerId call_after(std::chrono::milliseconds delay, std::function<void()> task) = 0;
};

/// Threads for what may block. Thread: any.
class Runner {
  public:
    virtual ~Runner() = default;
    /// False: there is no room, and `job` is not run.
    [[nodiscard]] virtual bool submit(std::function<void()> job) = 0;
};

}  // namespace a2h
