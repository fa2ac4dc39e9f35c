#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "core/base/poster.h"

namespace a2h {

/// The daemon's event loop: tasks from any thread and timers, run one after the other by the thread
/// that called `run`. It owns all state that is not behind a lock, and never waits for disk or
/// network.
class Loop final : public Timers {
  public:
    Loop();
    ~Loop() override;

    /// Runs until `stop`. Tasks that are waiting then are dropped.
    ///
    /// Thread:  the owner's.
    void run();
    /// Thread:  any.
    void stop();
    /// True once nothing will run any more.
    ///
    /// Thread:  any.
    bool is_stopping() const;

    void post(std::function<void()> task) override;

    /// Runs `task` on the loop after `delay`. Thread: any.
    TimerId call_after(std::chrono::milliseconds delay, std::function<void()> task) override;
    /// Ignored if the timer has already run.
    ///
    /// Thread:  any.
    void cancel(TimerId id);

  private:
    void drop_all();

    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace a2h
