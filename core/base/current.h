#pragma once

#include <atomic>
#include <memory>
#include <utility>

namespace a2h {

/// A value that can be read while it is replaced as a whole. A reader gets a snapshot, which does
/// not change as long as the reader holds it.
///
/// Thread:  any.
template <typename T>
class Current {
  public:
    explicit Current(T value = {}) { replace(std::move(value)); }
    Current(const Current&) = delete;
    Current& operator=(const Current&) = delete;

    /// The current snapshot. Hold it as long as anything in it is used.
    std::shared_ptr<const T> get() const { return now_.load(std::memory_order_acquire); }
    /// For use within one expression, after which the snapshot is released.
    std::shared_ptr<const T> operator->() const { return get(); }

    void replace(T value) {
        now_.store(std::make_shared<const T>(std::move(value)), std::memory_order_release);
    }

  private:
    std::atomic<std::shared_ptr<const T>> now_;
};

}  // namespace a2h
