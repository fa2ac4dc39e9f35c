#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/base/clock.h"
#include "core/base/poster.h"
#include "core/base/result.h"
#include "core/http/transfers.h"
#include "daemon/model/drafter.h"
#include "daemon/model/ledger.h"
#include "daemon/model/settings.h"

namespace a2h::model {

/// The calls since its creation. Tokens and cost are those of the ledger.
struct Usage {
    std::int64_t drafts = 0;    ///< calls that returned a draft
    std::int64_t unusable = 0;  ///< calls whose answer was unusable
    std::int64_t failed = 0;    ///< calls that the endpoint failed
    Tokens tokens;
    std::int64_t cost_millionths = 0;  ///< of a minor unit
};

/// The number of call durations that are kept.
constexpr std::size_t kLatenciesMax = 200;

/// The state of the model, for people. Contains no key.
struct Status {
    enum class State {
        Ready,
        Resting,      ///< failed three times; not called for a while
        Trying,       ///< one call decides whether it is ready again
        BudgetSpent,  ///< not called before tomorrow
    };
    State state = State::Ready;
    std::string model;  ///< as configured
    std::int64_t spent_minor = 0;
    std::int64_t budget_minor = 0;  ///< 0: no budget, because the model is free
    std::string currency;
    std::int64_t tokens = 0;  ///< input and output of today
    std::int64_t tokens_max = 0;
    int under_way = 0;
    std::string last_error;  ///< empty after a draft
    UnixMs last_ok_ms = 0;   ///< 0: no draft since a2hd was started
    bool is_breaker_open = false;
    /// The 95th percentile of the last `kLatenciesMax` calls, each with all its attempts; absent
    /// before the first call.
    std::optional<std::chrono::milliseconds> latency_p95;
    Usage usage;
};
std::string_view to_string(Status::State state);

/// A drafter that calls an endpoint over HTTP.
///
/// Calls run on `Settings::at_once` threads of their own, so that a slow call delays no other work.
/// Further drafts wait for a thread while their time-out runs. Every failure of the endpoint counts
/// for the breaker: to connect, to answer in time and completely, or a status that is not about the
/// request. A refusal because of the budget does not count, nor does an unusable answer, because a
/// peer's text can cause one and must not disable the model for others. The destructor ends calls
/// within about a second.
///
/// Thread:  the loop.
class LanguageModel : public Drafter {
  public:
    virtual Status status() const = 0;
};

/// The parts that a language model works with.
struct Environment {
    Poster& poster;                        ///< the loop; must outlive the model
    const Clock& clock;                    ///< must outlive the model
    http::Transfers* transfers = nullptr;  ///< ends together with all calls; may be null
    std::string key;                       ///< see `read_key`; empty: no key is sent
    std::string spent;                     ///< the last value given to `save` before the restart
    /// Stores what was spent, so that it survives a crash. Called on the loop, before and after
    /// each call.
    std::function<void(std::string spent)> save;
    /// For tests: how a worker waits before a further attempt; empty: it waits for real.
    std::function<void(std::chrono::milliseconds)> wait = {};
};

/// The drafter for `settings`; nullptr without `[model]`.
///
/// Errors:  those of `check`.
Result<std::unique_ptr<LanguageModel>> make_drafter(const Settings& settings,
                                                    Environment environment);

}  // namespace a2h::model
