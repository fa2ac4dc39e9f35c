#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/clock.h"
#include "core/base/poster.h"
#include "core/base/result.h"
#include "core/store/inbox_store.h"
#include "core/store/writer.h"
#include "core/wire/envelope.h"
#include "daemon/context/agent.h"
#include "daemon/kernel/metrics.h"
#include "daemon/mail/early_decision.h"
#include "daemon/mail/key_ring.h"

namespace a2h::mail {

/// The message type of our own canary; it is not mail. Source: docs/protocol.md, "Self-test".
constexpr std::string_view kSelfTestType = "a2h.self_test";

/// What becomes of the messages that a `Receiver` takes in. Told on the loop, also when the commit
/// came too late for `Receiver::kCommitWaitMax`. Lives until the loop has stopped.
class Arrivals {
  public:
    /// Before the commit, which may still fail or find the message there already. What `early` is
    /// given is written with the message; `early` is null while messages come so fast that they
    /// would wait for each other's decisions.
    virtual void expect(const InboxMessage& message, EarlyDecision* early) = 0;
    /// The message was committed and has its row id. Every one must come here, in the order of
    /// their ids.
    virtual void accept(const InboxMessage& message) = 0;
    /// Instead of `accept`: the message was committed together with what `early` was given.
    virtual void decided(const InboxMessage& message, const EarlyDecision& early) = 0;
    /// What `early` was given, if anything, was not written; `accept` follows if the message was.
    virtual void withdraw(const InboxMessage& message, const EarlyDecision& early) = 0;

  protected:
    ~Arrivals() = default;
};

/// Waits for the canaries of agents. Told on the loop; lives until the loop has stopped.
class SelfTests {
  public:
    /// The canary `message_id` of an agent has arrived.
    virtual void returned(const std::string& agent_id, const std::string& message_id) = 0;

  protected:
    ~SelfTests() = default;
};

/// First stage: from the bytes of one MQTT message to committed rows, before PUBACK.
///
/// Thread: `on_message` on Paho's receive thread, and on a worker while catching up. It waits for
/// the commit, at most `kCommitWaitMax`, and touches nothing of the loop's.
class Receiver final : public Intake {
  public:
    static constexpr std::chrono::milliseconds kCommitWaitMax{2'000};
    /// A message that comes sooner after the one before had been waiting for it: then the loop
    /// decides while the next one is stored, which is more in all.
    static constexpr std::chrono::microseconds kFastGap{150};

    Receiver(std::string agent_id, wire::SigningKeys keys, const Clock& clock,
             store::Writer& writer, Poster& loop, KeyRing& key_ring, kernel::Metrics& metrics,
             Arrivals& arrivals, SelfTests& self_tests);

    /// Success: the message is stored, or refused for good; PUBACK may leave. Error: not stored.
    Result<void> on_message(std::string_view payload) override;

    /// The same for what the market's history says. What was sent before `elsewhere_before_ms` may
    /// have been answered by another instance of the agent: it is stored, and nobody decides it.
    Result<void> on_history(std::string_view payload, UnixMs elsewhere_before_ms) override;

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
    Arrivals& arrivals_;
    SelfTests& self_tests_;
    /// When `on_message` last returned, in the steady clock's own unit.
    std::atomic<std::int64_t> last_returned_ = 0;
};

}  // namespace a2h::mail
