#pragma once

#include <mutex>
#include <utility>

namespace a2h {

/// A value that can be accessed only while its lock is held.
///
/// Inside `with` there must be no I/O, no callback and no second lock.
///
/// Thread:  any.
template <typename T>
class Guarded {
  public:
    Guarded() = default;
    explicit Guarded(T value) : value_(std::move(value)) {}

    template <typename Function>
    decltype(auto) with(Function&& function) {
        const std::lock_guard lock(mutex_);
        return std::forward<Function>(function)(value_);
    }
    template <typename Function>
    decltype(auto) with(Function&& function) const {
        const std::lock_guard lock(mutex_);
        return std::forward<Function>(function)(value_);
    }

  private:
    mutable std::mutex mutex_;
    T value_{};
};

}  // namespace a2h
