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

/// Whether somebody is inside of a step, and since when. Where several threads do the same step,
/// one that hangs is seen once the others have come out of theirs.
/// Thread: any.
class StepMark {
  public:
    /// Inside of the step as long as it lives.
    class Stay {
      public:
        explicit Stay(StepMark& mark);
        ~Stay();
        Stay(const Stay&) = delete;
        Stay& operator=(const Stay&) = delete;

      private:
        StepMark& mark_;
    };

    /// Absent when nobody is inside.
    std::optional<SteadyTime> since() const;

  private:
    std::atomic<std::int64_t> since_ = 0;  ///< in the steady clock's own unit
    std::atomic<int> inside_ = 0;
};

/// One step that must end again.
struct Watched {
    std::string_view name;                             ///< for the log
    std::function<std::optional<SteadyTime>()> since;  ///< when the present one began, if any did
    /// What it may rightly wait for the network, on top of the limit of all.
    std::chrono::milliseconds network_wait{0};
};

/// Tells the service manager that this process makes progress, as long as every watched step ends
/// within half of the manager's patience. The loop needs no row: what feeds is a timer of the loop,
/// so a loop that hangs feeds nobody. A broker, a market or a disk that answers with an error is no
/// lack of progress.
/// Thread: the loop.
class Watchdog {
  public:
    struct Environment {
        std::function<void(std::chrono::milliseconds, std::function<void()>)> call_after;
        std::function<SteadyTime()> now;
        std::function<void()> feed;  ///< `notify_watchdog`
    };

    /// `period` is the manager's patience, $WATCHDOG_USEC.
    Watchdog(Environment environment, std::chrono::microseconds period, std::vector<Watched> steps);

    /// Feeds at once, and from then on every second or four times a period, whichever is more.
    void start();

  private:
    void look();
    std::optional<std::string_view> stuck_step() const;

    const Environment environment_;
    const std::chrono::milliseconds interval_;
    const std::chrono::microseconds limit_;
    const std::vector<Watched> steps_;
    bool is_stuck_ = false;
};

/// A started watchdog of `steps` that is fed by timers of `loop`; null when no service manager
/// waits for one. `hang` may stop the loop, for tests.
std::unique_ptr<Watchdog> start_watchdog(Loop& loop, const HangFault& hang,
                                         std::vector<Watched> steps);

}  // namespace a2h::health
