#include "market/exchange/timer.h"

#include <chrono>

#include "core/base/log.h"
#include "market/exchange/rfps.h"

namespace a2h::market {
namespace {

constexpr std::chrono::milliseconds kCheckEvery{500};

Result<bool> has_work(db::Database& database, UnixMs now_ms) {
    return database.read_as<bool>([&](db::Transaction& transaction) -> Result<bool> {
        A2H_ASSIGN_OR_RETURN(const auto due, store::due_rfps(transaction, now_ms, 1));
        A2H_ASSIGN_OR_RETURN(const auto waiting, store::tellings(transaction, 1));
        return !due.empty() || !waiting.empty();
    });
}

}  // namespace

Result<bool> run_exchange(db::Database& database, UnixMs now_ms) {
    const auto work = has_work(database, now_ms);
    if (!work || !*work) return work;
    return database.write_as<bool>([&](db::Transaction& transaction) -> Result<bool> {
        A2H_ASSIGN_OR_RETURN(const auto closed, close_due_rfps(transaction, now_ms));
        A2H_ASSIGN_OR_RETURN(const auto notified, notify_more(transaction, now_ms));
        return closed > 0 || notified;
    });
}

ExchangeTimer::ExchangeTimer(db::Database& database, const Clock& clock)
    : database_(database), clock_(clock), thread_([this] { run(); }) {}

ExchangeTimer::~ExchangeTimer() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
        changed_.notify_one();
    }
    thread_.join();
}

bool ExchangeTimer::stopping() {
    const std::lock_guard lock(mutex_);
    return stopping_;
}

void ExchangeTimer::run() {
    while (!stopping()) {
        round();
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, kCheckEvery, [this] { return stopping_; });
    }
}

void ExchangeTimer::round() {
    auto more = Result<bool>(true);
    while (more && *more && !stopping())
        more = run_exchange(database_, clock_.now_ms());
    if (!more && !failing_) {
        log::error("The database does not answer; due changes are waiting",
                   {{"reason", more.error().message}});
    }
    failing_ = !more;
}

}  // namespace a2h::market
