#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>

#include "core/base/result.h"
#include "core/store/database.h"

namespace a2h::mail {

/// A decision that the loop makes about a message while the writer stores it, so that one commit
/// serves both. With one message in flight, the disk then delays the reply only once, not twice.
///
/// The loop calls `give` or `decline` once; the writer calls `take` in the message's transaction.
///
/// Thread:  stated for each method; both threads hold the object through a shared pointer.
class EarlyDecision {
  public:
    /// Writes the effects of the message whose row has this id.
    ///
    /// Thread:  the store writer.
    using Write = std::function<Result<void>(store::Database& db, std::int64_t inbox_id)>;

    /// How long the writer waits for the loop, which may be busy.
    static constexpr std::chrono::microseconds kWaitMax{500};

    /// False if the writer no longer waits; `write` is then not used.
    ///
    /// Thread:  the loop.
    bool give(Write write);
    /// Nothing will be given.
    ///
    /// Thread:  any.
    void decline();
    /// Waits for the loop. Empty if nothing came in time; nothing can be given afterwards.
    ///
    /// Thread:  the store writer.
    Write take();

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    Write write_;
    bool is_closed_ = false;
};

}  // namespace a2h::mail
