#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

namespace a2h {

/// How another thread passes work to the thread that owns the state.
///
/// `post` may be called from any thread and never blocks. The task runs later on the owner's
/// thread. Tasks posted after the owner has stopped are dropped.
class Poster {
  public:
    virtual ~Poster() = default;
    virtual void post(std::function<void()> task) = 0;
};

/// A `Poster` that can also run a task later.
///
/// Thread:  any.
class Timers : public Poster {
  public:
    using TimerId = std::uint64_t;

    /// Runs `task` on the owner's thread after `delay`.
    virtual TimerId call_after(std::chrono::milliseconds delay, std::function<void()> task) = 0;
};

/// Threads for work that may block.
///
/// Thread:  any.
class Runner {
  public:
    virtual ~Runner() = default;
    /// False if there is no room; `job` is then not run.
    [[nodiscard]] virtual bool submit(std::function<void()> job) = 0;
};

}  // namespace a2h
