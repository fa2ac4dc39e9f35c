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

/// What it was asked for since it was made. Tokens and cost are as the ledger has them.
struct Usage {
    std::int64_t drafts = 0;    ///< calls that brought one
    std::int64_t unusable = 0;  ///< calls whose answer was nonsense
    std::int64_t failed = 0;    ///< calls that the endpoint failed
    Tokens tokens;
    std::int64_t cost_millionths = 0;  ///< of a minor unit
};

/// Calls whose time is remembered.
constexpr std::size_t kLatenciesMax = 200;

/// How the model does, for people. Holds no key.
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
    std::int64_t budget_minor = 0;  ///< 0: none, because it costs nothing
    std::string currency;
    std::int64_t tokens = 0;  ///< of today, input and output
    std::int64_t tokens_max = 0;
    int under_way = 0;
    std::string last_error;  ///< empty once a draft came
    UnixMs last_ok_ms = 0;   ///< 0: none since a2hd was started
    bool is_breaker_open = false;
    /// Of the last `kLatenciesMax` calls that were made, all attempts of each; absent before one.
    std::optional<std::chrono::milliseconds> latency_p95;
    Usage usage;
};
std::string_view to_string(Status::State state);

/// A drafter that asks an endpoint over HTTP.
///
/// Calls run on threads of their own, `Settings::at_once` of them, so that one that hangs holds up
/// nobody else's; further drafts wait for a thread, with the time-out running. Every failure of the
/// endpoint counts for the breaker: one to connect, to answer in time and in full, or a status that
/// is none about the request. A refusal for the budget does not count, nor an answer that is
/// nonsense: a peer's text can cause one, and must not keep the model from all others. Destroying
/// it ends calls under way within about a second. Thread: the loop.
class LanguageModel : public Drafter {
  public:
    virtual Status status() const = 0;
};

/// What a language model works with.
struct Environment {
    Poster& poster;                        ///< the loop; must outlive the model
    const Clock& clock;                    ///< must outlive the model
    http::Transfers* transfers = nullptr;  ///< whose end is that of all calls; may be null
    std::string key;                       ///< see `read_key`; empty: none is sent
    std::string spent;                     ///< what `save` got last, before the restart
    /// Keeps what was spent, also across a crash. Called on the loop, before and after each call.
    std::function<void(std::string spent)> save;
    /// For tests: how a worker waits before it asks again; empty: it does.
    std::function<void(std::chrono::milliseconds)> wait = {};
};

/// The drafter that `settings` describe; nullptr when there is no `[model]`.
/// Errors: those of `check`.
Result<std::unique_ptr<LanguageModel>> make_drafter(const Settings& settings,
                                                    Environment environment);

}  // namespace a2h::model
