#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/clock.h"
#include "core/base/poster.h"
#include "core/base/result.h"
#include "core/store/inbox_store.h"
#include "core/store/writer.h"
#include "core/wire/envelope.h"
#include "daemon/kernel/metrics.h"
#include "daemon/mail/early_decision.h"
#include "daemon/mail/key_ring.h"

namespace a2h::mail {

/// The message type of our own canary; it is not mail. Source: docs/protocol.md, "Self-test".
constexpr std::string_view kSelfTestType = "a2h.self_test";

/// First stage: from the bytes of one MQTT message to committed rows, before PUBACK.
///
/// Thread: `on_message` on Paho's receive thread, and on a worker while catching up. It waits for
/// the commit, at most `kCommitWaitMax`, and touches nothing of the loop's.
class Receiver {
  public:
    static constexpr std::chrono::milliseconds kCommitWaitMax{2'000};
    /// A message that comes sooner after the one before had been waiting for it: then the loop
    /// decides while the next one is stored, which is more in all.
    static constexpr std::chrono::microseconds kFastGap{150};

    /// Told on the loop, after the commit; also when that came too late for `kCommitWaitMax`.
    /// They are called until the loop has stopped, whether this object is still there or not.
    struct Events {
        /// Before the commit, which may still fail or find the message there already. What `early`
        /// is given is written with the message; `early` is null while messages come so fast that
        /// they would wait for each other's decisions.
        std::function<void(const InboxMessage& message, EarlyDecision* early)> expected;
        std::function<void(const InboxMessage& message)> accepted;  ///< with its row id
        /// Instead of `accepted`: what `early` was given is committed, too.
        std::function<void(const InboxMessage& message, const EarlyDecision& early)> decided;
        /// What `early` was given, if anything, was not written; `accepted` follows if the message
        /// was.
        std::function<void(const InboxMessage& message, const EarlyDecision& early)> withdrawn;
        std::function<void(const std::string& message_id)> self_test_returned;
    };

    Receiver(std::string agent_id, wire::SigningKeys keys, const Clock& clock,
             store::Writer& writer, Poster& loop, KeyRing& key_ring, kernel::Metrics& metrics,
             Events events);

    /// Success: the message is stored, or refused for good; PUBACK may leave. Error: not stored.
    Result<void> on_message(std::string_view payload);

    /// The same for what the market's history says. What was sent before `elsewhere_before_ms` may
    /// have been answered by another instance of the agent: it is stored, and nobody decides it.
    Result<void> on_history(std::string_view payload, UnixMs elsewhere_before_ms);

  private:
    /// What becomes of a message once it is stored.
    enum class Then { DecideEarly, DecideLater, LeaveToHuman };

    Result<void> take_in(std::string_view payload, Then then, UnixMs elsewhere_before_ms);
    Result<void> accept(wire::ParsedEnvelope parsed, std::string_view payload, Then then);
    Result<void> store_accepted(InboxMessage message, store::IsSenders is_senders,
                                bool decide_early);
    Result<void> store_undecided(InboxMessage message, store::IsSenders is_senders);
    void accept_own(const wire::ParsedEnvelope& parsed, std::size_t size_bytes);
    void store_refused(Refusal reason, std::string_view detail, std::string_view claimed_sender,
                       std::size_t size_bytes);

    const std::string agent_id_;
    const wire::SigningKeys keys_;
    const Clock& clock_;
    store::Writer& writer_;
    Poster& loop_;
    KeyRing& key_ring_;
    kernel::Metrics& metrics_;
    const std::shared_ptr<const Events> events_;
    /// When `on_message` last returned, in the steady clock's own unit.
    std::atomic<std::int64_t> last_returned_ = 0;
};

}  // namespace a2h::mail
