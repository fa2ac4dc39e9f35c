#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>

#include "core/base/result.h"

namespace a2h::leading {

/// Whether this instance acts for an agent now: connects, takes in and sends. Thread: any.
class LeaseGate {
  public:
    bool may_act() const;
    /// Until this moment of `boot_time`; the maximum: for good.
    void open_until(std::chrono::milliseconds boot_time);

  private:
    std::atomic<std::int64_t> until_ms_ = 0;
};

/// Goes on while the machine sleeps, unlike the steady clock: a lease does, too. Thread: any.
std::chrono::milliseconds boot_time();

/// What an instance of an agent is among the others.
enum class Standing {
    Asking,     ///< no answer yet
    Alone,      ///< the market has no leases: nobody is asked
    Leading,    ///< holds the lease
    Following,  ///< another instance holds it
};
std::string_view to_string(Standing standing);

/// What the market says of an agent's lease.
struct LeaseAnswer {
    bool leads = false;
    std::int64_t epoch = 0;
    std::string leader;  ///< empty: nobody
};

/// One agent's lease as this instance knows it: when it may act, without clock and network of its
/// own. Who has ever seen another instance acts only while its lease is sure to hold; who never has
/// goes on while the market cannot be asked, because then nobody else can be given it either. Who
/// slept asks before it does anything. Thread: one.
/// Source: daemon/health/README.md.
class Lease {
  public:
    using Time = std::chrono::milliseconds;  ///< of `boot_time`

    static constexpr Time kAskEvery{5'000};
    /// The market's leases last 15 s from an answer: less here, for what the two clocks and the way
    /// may differ.
    static constexpr Time kHeldFor{12'000};
    static constexpr Time kHeldAlone{30'000};
    /// Two looks lie a second apart; longer than this means that the process stood still.
    static constexpr Time kAwakeFor{6'000};

    explicit Lease(bool others_seen) : others_seen_(others_seen) {}

    enum class Change { None, Acquired, Lost };
    /// What the market answered to a question of `asked_at`.
    Change answered(const Result<LeaseAnswer>& answer, Time asked_at);
    /// Once a second; true when it stood still for too long: ask again at once.
    bool looked(Time now);
    /// Until when it may act, as things stand.
    Time acts_until() const;

    Standing standing() const { return standing_; }
    std::int64_t epoch() const { return epoch_; }
    const std::string& leader() const { return leader_; }
    bool others_seen() const { return others_seen_; }
    /// Another instance has led since this one did.
    void saw_others() { others_seen_ = true; }

  private:
    Standing standing_ = Standing::Asking;
    std::int64_t epoch_ = 0;
    std::string leader_;
    bool others_seen_;
    bool unreachable_ = false;  ///< the last question had no answer, and it was asked awake
    Time held_from_{0};         ///< when the question was asked that was answered with the lease
    Time looked_at_{0};
    Time woke_at_{0};
};

}  // namespace a2h::leading
