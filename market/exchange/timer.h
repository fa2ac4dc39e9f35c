#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "market/db/database.h"

namespace a2h::market {

/// What the exchange does by itself: closes RFPs at their deadline, and tells the matched agents
/// that creating an RFP left for later. Does a part of it and answers whether there is more.
Result<bool> run_exchange(db::Database& database, UnixMs now_ms);

/// Does that twice a second; what costs nothing is one read. Several processes on one database may
/// each have one. Nothing depends on its being in time: every use of an RFP looks at the deadline
/// itself.
/// Thread: one of its own.
class ExchangeTimer {
  public:
    /// Both must outlive it.
    ExchangeTimer(db::Database& database, const Clock& clock);
    ~ExchangeTimer();
    ExchangeTimer(const ExchangeTimer&) = delete;
    ExchangeTimer& operator=(const ExchangeTimer&) = delete;

  private:
    void run();
    void round();
    bool stopping();

    db::Database& database_;
    const Clock& clock_;
    bool failing_ = false;  ///< the thread only; told once
    std::mutex mutex_;
    std::condition_variable changed_;
    bool stopping_ = false;
    std::thread thread_;
};

}  // namespace a2h::market
