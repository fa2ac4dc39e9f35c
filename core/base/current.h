#pragma once

#include <atomic>
#include <memory>
#include <utility>

namespace a2h {

/// A value that is read while it is replaced as a whole. A reader gets a snapshot, which stays as
/// it is for as long as the reader holds it.
/// Thread: any.
template <typename T>
class Current {
  public:
    explicit Current(T value = {}) { replace(std::move(value)); }
    Current(const Current&) = delete;
    Current& operator=(const Current&) = delete;

    /// The snapshot of this moment; hold it as long as anything in it is referred to.
    std::shared_ptr<const T> get() const { return now_.load(std::memory_order_acquire); }
    /// For one expression: the snapshot ends with it.
    std::shared_ptr<const T> operator->() const { return get(); }

    void replace(T value) {
        now_.store(std::make_shared<const T>(std::move(value)), std::memory_order_release);
    }

  private:
    std::atomic<std::shared_ptr<const T>> now_;
};

}  // namespace a2h
