#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>

#include "core/base/result.h"

namespace a2h::leading {

/// Whether this instance acts for an agent now: connects, receives and sends.
///
/// Thread:  any.
class LeaseGate {
  public:
    bool may_act() const;
    /// Opens the gate until this time of `boot_time`; the maximum means permanently.
    void open_until(std::chrono::milliseconds boot_time);

  private:
    std::atomic<std::int64_t> until_ms_ = 0;
};

/// Unlike the steady clock, it continues while the machine sleeps, as the market's lease does.
///
/// Thread:  any.
std::chrono::milliseconds boot_time();

/// The role of an instance among the instances of an agent.
enum class Standing {
    Asking,     ///< no answer of the market yet
    Alone,      ///< the market grants no leases
    Leading,    ///< holds the lease
    Following,  ///< another instance holds it
};
std::string_view to_string(Standing standing);

/// The market's answer about an agent's lease.
struct LeaseAnswer {
    bool leads = false;
    std::int64_t epoch = 0;
    std::string leader;  ///< empty: nobody holds it
};

/// One agent's lease as this instance knows it, and until when this instance may act. It has no
/// clock or network of its own. An instance that has ever seen another one acts only while its
/// lease is certainly valid. An instance that never has continues while the market cannot be
/// reached, because then no other one can get the lease either. After sleep it asks before it acts.
///
/// Thread:  one.
/// Source:  daemon/health/README.md.
class Lease {
  public:
    using Time = std::chrono::milliseconds;  ///< as in `boot_time`

    static constexpr Time kAskEvery{5'000};
    /// The market's leases last 15 s from its answer. This is shorter to allow for differences of
    /// the clocks and for network delay.
    static constexpr Time kHeldFor{12'000};
    static constexpr Time kHeldAlone{30'000};
    /// Checks are a second apart; a longer gap means that the process was suspended.
    static constexpr Time kAwakeFor{6'000};

    explicit Lease(bool others_seen) : others_seen_(others_seen) {}

    enum class Change { None, Acquired, Lost };
    /// The market's answer to a request sent at `asked_at`.
    Change answered(const Result<LeaseAnswer>& answer, Time asked_at);
    /// Call once a second. True if the process was suspended, so that the market must be asked at
    /// once.
    bool checked(Time now);
    /// Until when it may act, as known now.
    Time acts_until() const;

    Standing standing() const { return standing_; }
    std::int64_t epoch() const { return epoch_; }
    const std::string& leader() const { return leader_; }
    bool others_seen() const { return others_seen_; }
    /// Notes that another instance has led since this one last did.
    void saw_others() { others_seen_ = true; }

  private:
    Standing standing_ = Standing::Asking;
    std::int64_t epoch_ = 0;
    std::string leader_;
    bool others_seen_;
    bool unreachable_ =
        false;           ///< the last request had no answer, and the process was not suspended
    Time held_from_{0};  ///< time of the request that was answered with the lease
    Time checked_at_{0};
    Time woke_at_{0};
};

}  // namespace a2h::leading
