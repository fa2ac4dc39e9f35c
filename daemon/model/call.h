#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "core/base/clock.h"
#include "core/http/client.h"
#include "daemon/model/ledger.h"
#include "daemon/model/wire_format.h"

namespace a2h::model {

/// Limit of bytes that an endpoint may send for one draft, including the event framing.
constexpr std::size_t kAnswerBytesMax = 256 * 1024;
/// Limit of bytes of the text in the events.
constexpr std::size_t kTextBytesMax = 64 * 1024;

/// Tells all calls that nobody waits for them any more, and interrupts their waiting.
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

/// The result of one draft, and its usage. Without `used` nothing can have been charged.
struct CallOutcome {
    Result<Draft> draft;
    std::optional<Tokens> used;
    enum class Endpoint {
        Unasked,   ///< no thread was free in time, which says nothing about the endpoint
        Answered,  ///< the answer may be unusable, which a peer's text can cause
        Failed,
    };
    Endpoint endpoint = Endpoint::Failed;
};

/// Requests one draft, with all attempts. Blocks at most until `deadline`.
///
/// An attempt is repeated if nothing was sent, or if the endpoint refused it with 429, 503 or 529
/// and a `Retry-After` that is over before the deadline. Once an answer has begun, nothing is
/// repeated, because it is charged.
///
/// Thread:  any; each call has its own.
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
