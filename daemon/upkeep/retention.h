#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "daemon/config/current.h"
#include "daemon/kernel/kernel.h"

namespace a2h::upkeep {

/// Deletes what is settled and older than `[keep]` allows (core/store/retention.h): a few rows at a
/// time with the lowest priority, all kinds once a day. Without `[keep]` it only checks whether
/// that has changed. Closed cases of the stages are deleted in any case.
///
/// Thread:  the loop.
class Retention {
  public:
    static constexpr int kRowsAStep = 50;
    static constexpr std::chrono::milliseconds kStepPause{500};
    static constexpr std::chrono::minutes kCheckEvery{10};
    static constexpr std::chrono::hours kPassEvery{24};

    static constexpr std::chrono::minutes kCasesEvery{1};
    /// How long the stages' messages are kept after their case was closed, how many bytes are kept,
    /// and how many cases one transaction removes.
    static constexpr std::chrono::milliseconds kCasesKeptFor{std::chrono::hours(30 * 24)};
    static constexpr std::int64_t kCaseBytesMax = 256LL * 1024 * 1024;
    static constexpr int kCasesAtOnce = 20;

    Retention(const kernel::Kernel& kernel, const Current<Config>& config)
        : kernel_(kernel), config_(config) {}

    void start();

  private:
    void check();
    void forget_cases();
    void step();
    int days_of_kind() const;

    const kernel::Kernel& kernel_;
    const Current<Config>& config_;
    std::size_t kind_ = 0;  ///< of the current pass
    std::int64_t after_id_ = 0;
    std::chrono::steady_clock::time_point next_pass_{};
};

}  // namespace a2h::upkeep
