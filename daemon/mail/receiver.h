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
#include "daemon/context/agent.h"
#include "daemon/kernel/metrics.h"
#include "daemon/mail/early_decision.h"
#include "daemon/mail/key_ring.h"

namespace a2h::mail {

/// The message type of our own canary, which is not mail.
///
/// Source:  docs/protocol.md, "Self-test".
constexpr std::string_view kSelfTestType = "a2h.self_test";

/// A refused message of a sender without a pinned key, whose sender the market may know.
struct RefusedMail {
    std::string agent_id;
    std::string sender_id;
    std::string digest;  ///< of its row
    wire::SignedPart signed_part;
    std::string envelope_json;
};

/// Learns about the messages that a `Receiver` stores. Called on the loop, also if the commit came
/// too late for `Receiver::kCommitWaitMax`. Must live until the loop has stopped.
class Arrivals {
  public:
    /// Called before the commit, which may still fail or find a duplicate. What `early` is given is
    /// written with the message. `early` is null while messages arrive so fast that they would wait
    /// for each other's decisions.
    virtual void expect(const InboxMessage& message, EarlyDecision* early) = 0;
    /// The message was committed and has its row id. Called for every message, in the order of ids.
    virtual void accept(const InboxMessage& message) = 0;
    /// Called instead of `accept`: the message was committed together with what `early` was given.
    virtual void decided(const InboxMessage& message, const EarlyDecision& early) = 0;
    /// Called if what `early` was given, if anything, was not written. `accept` follows if the
    /// message was stored.
    virtual void withdraw(const InboxMessage& message, const EarlyDecision& early) = 0;
    /// A message was refused and recorded as unverified.
    virtual void refused(const RefusedMail& mail) = 0;

  protected:
    ~Arrivals() = default;
};

/// Waits for the canaries of agents. Called on the loop; must live until the loop has stopped.
class SelfTests {
  public:
    /// The canary `message_id` of an agent has arrived.
    virtual void returned(const std::string& agent_id, const std::string& message_id) = 0;

  protected:
    ~SelfTests() = default;
};

/// The first step: turns the bytes of one MQTT message into committed rows, before the PUBACK.
///
/// Errors:  as `Intake` says.
/// Thread:  `on_message` runs on Paho's receive thread, and on a worker while catching up. It waits
///          for the commit, at most `kCommitWaitMax`, and accesses nothing of the loop.
class Receiver final : public Intake {
  public:
    static constexpr std::chrono::milliseconds kCommitWaitMax{2'000};
    /// A message that follows faster than this was already waiting. The loop then decides while the
    /// next message is stored, which gives a higher throughput.
    static constexpr std::chrono::microseconds kFastGap{150};

    Receiver(std::string agent_id, wire::SigningKeys keys, const Clock& clock,
             store::Writer& writer, Poster& loop, KeyRing& key_ring, kernel::Metrics& metrics,
             Arrivals& arrivals, SelfTests& self_tests);

    Result<void> on_message(std::string_view payload) override;
    Result<void> on_history(std::string_view payload, UnixMs other_instance_before_ms) override;

  private:
    /// How a message is processed once it is stored.
    enum class Then { DecideEarly, DecideLater, LeaveToHuman };

    Result<void> take_in(std::string_view payload, Then then, UnixMs other_instance_before_ms);
    Result<void> accept(wire::ParsedEnvelope parsed, std::string_view payload, Then then);
    Result<void> store_accepted(InboxMessage message, store::SenderProof proof, bool decide_early);
    Result<void> store_undecided(InboxMessage message, store::SenderProof proof);
    void accept_own(const wire::ParsedEnvelope& parsed, std::size_t size_bytes);
    /// Records a refused message. If its sender can be known, waits for the commit, because the
    /// message then counts as said (R45).
    Result<void> refuse(const wire::RefusedEnvelope& envelope, std::string_view payload);
    RefusedMessage refused_row(const wire::RefusedEnvelope& envelope, std::size_t size_bytes) const;
    void submit_refused(RefusedMessage refused, std::function<void(Result<void>)> done);

    const std::string agent_id_;
    const wire::SigningKeys keys_;
    const Clock& clock_;
    store::Writer& writer_;
    Poster& loop_;
    KeyRing& key_ring_;
    kernel::Metrics& metrics_;
    Arrivals& arrivals_;
    SelfTests& self_tests_;
    /// When `on_message` last returned, in the unit of the steady clock.
    std::atomic<std::int64_t> last_returned_ = 0;
};

}  // namespace a2h::mail
