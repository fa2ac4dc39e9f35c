#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "core/base/poster.h"

namespace a2h {

/// A few threads for work that may block: platform calls, notification channels, PIN hashing.
///
/// At most `kQueueMax` jobs wait. Beyond that, `submit` returns false and the job is not run.
///
/// Thread:  any.
class Workers final : public Runner {
  public:
    static constexpr std::size_t kQueueMax = 10'000;

    explicit Workers(int thread_count);
    /// Drops waiting jobs, lets running ones finish, and joins the threads.
    ~Workers() override;
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    [[nodiscard]] bool submit(std::function<void()> job) override;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace a2h
