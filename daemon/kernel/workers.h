#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "core/base/poster.h"

namespace a2h {

/// A few threads for what may block: platform calls, notification channels, PIN hashing.
///
/// At most `kQueueMax` jobs wait; `submit` beyond that returns false and the job is not run.
/// Thread: any.
class Workers final : public Runner {
  public:
    static constexpr std::size_t kQueueMax = 10'000;

    explicit Workers(int thread_count);
    /// Drops what waits, lets what runs finish, joins.
    ~Workers() override;
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    [[nodiscard]] bool submit(std::function<void()> job) override;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace a2h
