#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "core/base/clock.h"
#include "core/http/client.h"
#include "daemon/model/ledger.h"
#include "daemon/model/wire_format.h"

namespace a2h::model {

/// Bytes that an endpoint may send for one draft, events and all.
constexpr std::size_t kAnswerBytesMax = 256 * 1024;
/// Bytes of the text that the events carry.
constexpr std::size_t kTextBytesMax = 64 * 1024;

/// Tells all calls that nobody waits for them any more, and lets them wait until then.
class StopSign {
  public:
    void stop();
    bool is_stopped() const { return stopped_; }
    /// Returns early when stopped.
    void wait(std::chrono::milliseconds time);

  private:
    std::atomic<bool> stopped_ = false;
    std::mutex mutex_;
    std::condition_variable wake_;
};

/// What came of one draft, and what it has used. Without `used` nothing can have been charged.
struct CallOutcome {
    Result<Draft> draft;
    std::optional<Tokens> used;
    enum class Endpoint {
        Unasked,   ///< no thread was free in time, which says nothing of it
        Answered,  ///< what it said may be nonsense: a peer's text can cause that
        Failed,
    };
    Endpoint endpoint = Endpoint::Failed;
};

/// Asks for one draft, with all its attempts. Blocks until `deadline` at most.
///
/// An attempt is repeated when nothing was sent, or when the endpoint refused it with 429, 503 or
/// 529 and said after how long it will not (`Retry-After`), if that is before the deadline. Once an
/// answer began, nothing is repeated: it was paid for.
///
/// Thread:  any; one call each.
class Call {
  public:
    struct Scene {
        http::Client& client;
        const WireFormat& format;
        const Settings& settings;
        const std::string& key;
        const Clock& clock;
        StopSign& stop;
        const std::function<void(std::chrono::milliseconds)>& wait;
    };
    Call(const Scene& scene, std::chrono::steady_clock::time_point deadline)
        : scene_(scene), deadline_(deadline) {}

    CallOutcome draft(const Prompt& prompt);

  private:
    struct Attempt;
    Attempt ask(http::ClientRequest request);
    CallOutcome judge(Attempt& attempt, const Prompt& prompt) const;
    std::optional<std::chrono::milliseconds> pause_after(const Attempt& attempt,
                                                         int attempts) const;
    std::chrono::milliseconds left() const;

    const Scene scene_;
    const std::chrono::steady_clock::time_point deadline_;
};

}  // namespace a2h::model
