#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "market/db/database.h"

namespace a2h::market {

/// The automatic work of the exchange: closes RFPs at their deadline, and notifies the matched
/// agents that were not notified when the RFP was created. Does a part of it and returns whether
/// there is more.
///
/// Errors:  those of `db::Transaction`.
/// Thread:  any.
Result<bool> run_exchange(db::Database& database, UnixMs now_ms);

/// Calls that twice a second; without work it costs one read. Several processes on one database may
/// each have one. Nothing depends on its punctuality, because every use of an RFP checks the
/// deadline itself.
///
/// Thread:  one of its own.
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
    bool failing_ = false;  ///< used only by the thread; a failure is logged once
    std::mutex mutex_;
    std::condition_variable changed_;
    bool stopping_ = false;
    std::thread thread_;
};

}  // namespace a2h::market
