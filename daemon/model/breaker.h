#pragma once

#include <chrono>

namespace a2h::model {

/// Keeps calls from an endpoint that fails: after three failures in a row none is made for 30
/// seconds, then one, and only when that succeeds all are.
///
/// Thread:  the loop.
class Breaker {
  public:
    using Time = std::chrono::steady_clock::time_point;
    enum class State { Closed, Open, Trial };

    static constexpr int kFailuresMax = 3;
    static constexpr std::chrono::seconds kOpenFor{30};

    /// Whether a call may be made now. A call that was allowed must be reported by `succeeded`,
    /// `failed` or `not_made`.
    bool may_call(Time now);
    void succeeded();
    void failed(Time now);
    /// The call that was allowed never left.
    void not_made();

    State state(Time now) const;

  private:
    int failures_ = 0;
    bool is_open_ = false;
    bool is_trial_ = false;
    Time open_until_{};
};

}  // namespace a2h::model
