#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "daemon/health/hang.h"
#include "daemon/kernel/loop.h"

namespace a2h::health {

using SteadyTime = std::chrono::steady_clock::time_point;

/// Whether any thread is inside a step, and since when. If several threads carry out the same step,
/// one that hangs is noticed after the others have left.
///
/// Thread:  any.
class StepMark {
  public:
    /// The thread is inside the step during the lifetime of this object.
    class Stay {
      public:
        explicit Stay(StepMark& mark);
        ~Stay();
        Stay(const Stay&) = delete;
        Stay& operator=(const Stay&) = delete;

      private:
        StepMark& mark_;
    };

    /// Absent if no thread is inside.
    std::optional<SteadyTime> since() const;

  private:
    std::atomic<std::int64_t> since_ = 0;  ///< in the unit of the steady clock
    std::atomic<int> inside_ = 0;
};

/// One step that must end within the limit.
struct Watched {
    std::string_view name;  ///< for the log
    std::function<std::optional<SteadyTime>()>
        since;  ///< start of the current run; absent if there is none
    /// The time that the step may additionally wait for the network.
    std::chrono::milliseconds network_wait{0};
};

/// Tells the service manager that this process makes progress, as long as every watched step ends
/// within half of the watchdog period. The loop needs no row: a timer of the loop sends the ping,
/// so a blocked loop sends none. A broker, a market or a disk that answers with an error does not
/// count as a lack of progress.
///
/// Thread:  the loop.
class Watchdog {
  public:
    struct Environment {
        std::function<void(std::chrono::milliseconds, std::function<void()>)> call_after;
        std::function<SteadyTime()> now;
        std::function<void()> feed;  ///< `notify_watchdog`
    };

    /// `period` is the watchdog period of the service manager, $WATCHDOG_USEC.
    Watchdog(Environment environment, std::chrono::microseconds period, std::vector<Watched> steps);

    /// Sends a ping at once, and then once a second or four times a period, whichever is more
    /// frequent.
    void start();

  private:
    void check();
    std::optional<std::string_view> stuck_step() const;

    const Environment environment_;
    const std::chrono::milliseconds interval_;
    const std::chrono::microseconds limit_;
    const std::vector<Watched> steps_;
    bool is_stuck_ = false;
};

/// A started watchdog for `steps` with timers of `loop`; null if no service manager expects pings.
/// `hang` may block the loop, for tests.
std::unique_ptr<Watchdog> start_watchdog(Loop& loop, const HangFault& hang,
                                         std::vector<Watched> steps);

}  // namespace a2h::health
