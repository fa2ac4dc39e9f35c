#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <utility>
#include <vector>

#include "core/base/guarded.h"
#include "core/base/poster.h"
#include "tests/support/process.h"

namespace a2h::test {

/// An event loop that the test runs by hand: tasks and timers run when `run_until` is called.
class HandLoop final : public Timers {
  public:
    void post(std::function<void()> task) override {
        tasks_.with([&](auto& tasks) { tasks.push_back(std::move(task)); });
    }
    TimerId call_after(std::chrono::milliseconds delay, std::function<void()> task) override {
        timers.emplace_back(delay, std::move(task));
        return timers.size();
    }
    bool run_until(const std::function<bool()>& condition) {
        return eventually([&] {
            while (run_one()) {
            }
            return condition();
        });
    }
    std::vector<std::pair<std::chrono::milliseconds, std::function<void()>>> timers;

  private:
    bool run_one() {
        auto task = tasks_.with([](auto& tasks) -> std::function<void()> {
            if (tasks.empty()) return nullptr;
            auto first = std::move(tasks.front());
            tasks.pop_front();
            return first;
        });
        if (task) task();
        return static_cast<bool>(task);
    }
    Guarded<std::deque<std::function<void()>>> tasks_;
};

}  // namespace a2h::test
