#include "daemon/kernel/loop.h"

#include <condition_variable>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace a2h {

using SteadyTime = std::chrono::steady_clock::time_point;

struct Loop::Impl {
    std::mutex mutex;
    std::condition_variable wake;
    std::vector<std::function<void()>> tasks;
    std::map<std::pair<SteadyTime, TimerId>, std::function<void()>> timers;
    std::map<TimerId, SteadyTime> timer_times;
    TimerId next_timer = 1;
    bool stopping = false;

    /// Moves every due timer behind the waiting tasks. The caller holds the lock.
    void collect_due_timers() {
        const auto now = std::chrono::steady_clock::now();
        while (!timers.empty() && timers.begin()->first.first <= now) {
            timer_times.erase(timers.begin()->first.second);
            tasks.push_back(std::move(timers.begin()->second));
            timers.erase(timers.begin());
        }
    }
};

Loop::Loop() : impl_(std::make_unique<Impl>()) {}
Loop::~Loop() = default;

void Loop::run() {
    std::vector<std::function<void()>> batch;
    while (true) {
        {
            std::unique_lock lock(impl_->mutex);
            impl_->collect_due_timers();
            while (impl_->tasks.empty() && !impl_->stopping) {
                if (impl_->timers.empty()) {
                    impl_->wake.wait(lock);
                } else {
                    impl_->wake.wait_until(lock, impl_->timers.begin()->first.first);
                }
                impl_->collect_due_timers();
            }
            if (impl_->stopping) break;
            batch.swap(impl_->tasks);
        }
        for (auto& task : batch)
            task();
        batch.clear();
    }
    drop_all();
}

void Loop::drop_all() {
    // Destroyed outside the lock, because this notifies the threads that wait for a dropped task.
    std::vector<std::function<void()>> tasks;
    std::map<std::pair<SteadyTime, TimerId>, std::function<void()>> timers;
    {
        const std::lock_guard lock(impl_->mutex);
        tasks.swap(impl_->tasks);
        timers.swap(impl_->timers);
        impl_->timer_times.clear();
    }
}

void Loop::stop() {
    const std::lock_guard lock(impl_->mutex);
    impl_->stopping = true;
    impl_->wake.notify_one();
}

bool Loop::is_stopping() const {
    const std::lock_guard lock(impl_->mutex);
    return impl_->stopping;
}

void Loop::post(std::function<void()> task) {
    bool was_empty = false;
    {
        const std::lock_guard lock(impl_->mutex);
        if (impl_->stopping) return;
        was_empty = impl_->tasks.empty();
        impl_->tasks.push_back(std::move(task));
    }
    // Not under the lock, because the loop would wake up and wait for it.
    if (was_empty) impl_->wake.notify_one();
}

Loop::TimerId Loop::call_after(std::chrono::milliseconds delay, std::function<void()> task) {
    const auto at = std::chrono::steady_clock::now() + delay;
    const std::lock_guard lock(impl_->mutex);
    const TimerId id = impl_->next_timer++;
    impl_->timer_times[id] = at;
    const auto [position, inserted] = impl_->timers.emplace(std::pair(at, id), std::move(task));
    if (position == impl_->timers.begin()) impl_->wake.notify_one();
    return id;
}

void Loop::cancel(TimerId id) {
    const std::lock_guard lock(impl_->mutex);
    const auto found = impl_->timer_times.find(id);
    if (found == impl_->timer_times.end()) return;
    impl_->timers.erase({found->second, id});
    impl_->timer_times.erase(found);
}

}  // namespace a2h
