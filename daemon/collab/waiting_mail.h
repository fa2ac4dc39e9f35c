#pragma once

#include <chrono>
#include <functional>

namespace a2h::collab {

/// The mail that waits for the agents of this home and has not been received.
///
/// Thread:  the loop.
class WaitingMail {
  public:
    /// Calls `then`, at once if there is nothing to wait for and at the latest after `patience`.
    /// `is_read` is true if everything that had reached the broker before the call has been
    /// received, for every agent of this home; it is false while one of them is offline.
    virtual void read_all(std::chrono::milliseconds patience,
                          std::function<void(bool is_read)> then) const = 0;

  protected:
    ~WaitingMail() = default;
};

}  // namespace a2h::collab
