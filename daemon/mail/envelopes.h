#pragma once

#include <chrono>
#include <string>
#include <unordered_map>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/domain/outbox.h"
#include "daemon/context/agent.h"

namespace a2h::mail {

/// Signs messages, before they are sent if possible.
///
/// Thread:  the loop.
class Envelopes {
  public:
    Envelopes(const Clock& clock, const Agents& agents) : clock_(clock), agents_(agents) {}

    /// Signs a message that is being written, so that both happen at the same time.
    void prepare(const OutboxMessage& message);
    /// The envelope of `message`, signed now unless it was prepared less than `kPreparedFor` ago.
    ///
    /// Errors:  those of `wire::sign_envelope`.
    Result<std::string> take(const OutboxMessage& message);

  private:
    struct Prepared {
        std::string envelope;
        UnixMs signed_at_ms = 0;
    };
    /// The most prepared messages that are kept; when full, messages are signed when sent.
    static constexpr std::size_t kPreparedMax = 64;
    /// How long a signed envelope may wait. The receiver compares the time of signing with its own
    /// clock, so an older envelope is signed again.
    static constexpr std::chrono::milliseconds kPreparedFor{1'000};

    Result<std::string> sign(const OutboxMessage& message, UnixMs now_ms) const;

    const Clock& clock_;
    const Agents& agents_;
    std::unordered_map<std::string, Prepared> prepared_;  ///< keyed by message id
};

}  // namespace a2h::mail
