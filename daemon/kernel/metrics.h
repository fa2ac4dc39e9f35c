#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/clock.h"
#include "core/base/guarded.h"
#include "core/domain/approval.h"
#include "core/domain/message.h"

namespace a2h::kernel {

/// A value that only increases.
///
/// Thread:  any.
class Counter {
  public:
    void add(std::uint64_t more = 1) { value_.fetch_add(more, std::memory_order_relaxed); }
    std::uint64_t value() const { return value_.load(std::memory_order_relaxed); }

  private:
    std::atomic<std::uint64_t> value_ = 0;
};

/// The current number of something.
///
/// Thread:  any.
class Gauge {
  public:
    void set(std::uint64_t value) { value_.store(value, std::memory_order_relaxed); }
    std::uint64_t value() const { return value_.load(std::memory_order_relaxed); }

  private:
    std::atomic<std::uint64_t> value_ = 0;
};

/// Durations, counted in buckets.
///
/// Thread:  any.
class Histogram {
  public:
    /// Upper bounds of the buckets; one more bucket takes larger values. A commit flushes the disk,
    /// which takes half a millisecond on a good disk and seconds on one that is about to fail.
    static constexpr std::array<std::chrono::microseconds, 12> kBounds{
        std::chrono::microseconds(500),       std::chrono::microseconds(1'000),
        std::chrono::microseconds(2'500),     std::chrono::microseconds(5'000),
        std::chrono::microseconds(10'000),    std::chrono::microseconds(25'000),
        std::chrono::microseconds(50'000),    std::chrono::microseconds(100'000),
        std::chrono::microseconds(250'000),   std::chrono::microseconds(500'000),
        std::chrono::microseconds(1'000'000), std::chrono::microseconds(2'500'000)};

    struct Reading {
        /// For each bucket, the number of values in it and all buckets below; the last has no upper
        /// bound.
        std::array<std::uint64_t, kBounds.size() + 1> up_to{};
        std::chrono::microseconds sum{};
    };

    void add(std::chrono::microseconds took);
    Reading read() const;

  private:
    std::array<Counter, kBounds.size() + 1> buckets_;
    Counter sum_us_;
};

/// Counters with two labels whose values are known only at run time.
///
/// Thread:  any.
class LabelledCounter {
  public:
    using Labels = std::pair<std::string, std::string>;
    /// Further label values are counted as `kOther`, because a scraper keeps a series for each.
    static constexpr std::size_t kSeriesMax = 512;
    static constexpr std::string_view kOther = "other";

    void add(std::string_view first, std::string_view second);
    std::map<Labels, std::uint64_t> values() const;

  private:
    Guarded<std::map<Labels, std::uint64_t>> values_;
};

/// The counts of a2hd since its start. Each part of the program counts its own work.
/// docs/metrics.md describes each value.
///
/// Thread:  any.
struct Metrics {
    static constexpr std::size_t kRefusals = static_cast<std::size_t>(Refusal::RateLimited) + 1;

    explicit Metrics(UnixMs now_ms = 0) : started_at_ms(now_ms) {}

    void count_refused(Refusal reason) { refused[static_cast<std::size_t>(reason)].add(); }
    /// Counts a question that was just stored: asked, or answered by a mandate at once.
    void count_opened(const Approval& approval);

    const UnixMs started_at_ms;
    Counter received;  ///< from the broker or the market's history
    Counter duplicates;
    std::array<Counter, kRefusals> refused;
    LabelledCounter decided;  ///< by rule and decision
    Counter asked;
    Counter mandated;          ///< questions that a mandate answered, without asking anybody
    LabelledCounter answered;  ///< by kind of answer and surface
    Counter expired;           ///< questions that ended without an answer
    Counter sent_to_broker;
    Counter sent_at_home;
    Counter send_failures;  ///< attempts, not messages
    Counter dead_letters;
    Counter reconnects;
    Histogram commit;
    Counter commit_failures;
    Gauge stream_readers;  ///< connections that follow a negotiation over HTTP
    Counter stream_cuts;   ///< those of them that were closed because they did not read
};

}  // namespace a2h::kernel
