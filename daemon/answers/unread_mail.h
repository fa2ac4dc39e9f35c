#pragma once

#include <chrono>
#include <functional>

namespace a2h::answers {

/// The mail that has reached the broker and has not been received.
///
/// Thread:  the loop.
class UnreadMail {
  public:
    /// Calls `then`, at once if there is nothing to wait for and at the latest after `patience`.
    /// `is_read` is false if mail for a connected agent may still be at the broker by then.
    virtual void read_first(std::chrono::milliseconds patience,
                            std::function<void(bool is_read)> then) const = 0;

  protected:
    ~UnreadMail() = default;
};

}  // namespace a2h::answers
