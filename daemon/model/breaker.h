#pragma once

#include <chrono>

namespace a2h::model {

/// Circuit breaker for a failing endpoint: after three failures in a row no call is made for 30
/// seconds, then one, and calls continue only if that one succeeds.
///
/// Thread:  the loop.
class Breaker {
  public:
    using Time = std::chrono::steady_clock::time_point;
    enum class State { Closed, Open, Trial };

    static constexpr int kFailuresMax = 3;
    static constexpr std::chrono::seconds kOpenFor{30};

    /// Whether a call may be made now. Report an allowed call by `succeeded`, `failed` or
    /// `not_made`.
    bool may_call(Time now);
    void succeeded();
    void failed(Time now);
    /// The allowed call was not sent.
    void not_made();

    State state(Time now) const;

  private:
    int failures_ = 0;
    bool is_open_ = false;
    bool is_trial_ = false;
    Time open_until_{};
};

}  // namespace a2h::model
