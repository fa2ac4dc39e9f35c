#pragma once

#include <atomic>
#include <memory>
#include <utility>

namespace a2h {

/// A value that others read while it is replaced as a whole. Who reads gets one that does not
/// change under them, and must not keep a reference to it for good: whoever replaces it says how
/// long the one before lives on.
/// Thread: reading from any; `replace` from one.
template <typename T>
class Current {
  public:
    explicit Current(T value = {}) { replace(std::move(value)); }
    Current(const Current&) = delete;
    Current& operator=(const Current&) = delete;

    const T& operator*() const { return *now_.load(std::memory_order_acquire); }
    const T* operator->() const { return now_.load(std::memory_order_acquire); }

    /// The value before, which readers may still use. Shared so that a task can keep it.
    std::shared_ptr<const T> replace(T value) {
        auto next = std::make_shared<const T>(std::move(value));
        now_.store(next.get(), std::memory_order_release);
        return std::exchange(owned_, std::move(next));
    }

  private:
    std::shared_ptr<const T> owned_;
    std::atomic<const T*> now_{nullptr};
};

}  // namespace a2h
