#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>

#include "core/base/result.h"
#include "core/store/database.h"

namespace a2h::mail {

/// What the loop decides about a message while the writer stores it, so that one commit serves
/// both: with one message in flight, half of the time until the reply is the disk's.
///
/// The loop calls `give` or `decline` once; the writer calls `take` in the message's transaction.
/// Thread: each method says whose; the object outlives both through a shared pointer.
class EarlyDecision {
  public:
    /// Writes what follows from the message whose row has this id. Thread: the store writer.
    using Write = std::function<Result<void>(store::Database& db, std::int64_t inbox_id)>;

    /// How long the writer waits for the loop, which may have other things to do.
    static constexpr std::chrono::microseconds kWaitMax{500};

    /// False when the writer no longer waits: then nothing comes of `write`. Thread: the loop.
    bool give(Write write);
    /// Nothing will be given. Thread: any.
    void decline();
    /// Waits for the loop; empty when nothing came in time. Nothing can be given afterwards.
    /// Thread: the store writer.
    Write take();

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    Write write_;
    bool is_closed_ = false;
};

}  // namespace a2h::mail
