#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

#include "core/base/clock.h"
#include "core/base/poster.h"
#include "core/base/result.h"
#include "core/store/writer.h"
#include "core/wire/envelope.h"
#include "daemon/pipeline/key_ring.h"

namespace a2h::pipeline {

/// The message type of our own canary; it is not mail. Source: docs/protocol.md, "Self-test".
constexpr std::string_view kSelfTestType = "a2h.self_test";

/// First stage: from the bytes of one MQTT message to committed rows, before PUBACK.
///
/// Thread: `on_message` on Paho's receive thread, and on a worker while catching up. It waits for
/// the commit, at most `kCommitWaitMax`, and touches nothing of the loop's.
class Receiver {
  public:
    static constexpr std::chrono::milliseconds kCommitWaitMax{2'000};

    /// Told on the loop, after the commit; also when that came too late for `kCommitWaitMax`.
    /// They are called until the loop has stopped, whether this object is still there or not.
    struct Events {
        /// Before the commit, which may still fail or find the message there already.
        std::function<void(const InboxMessage& message)> expected;
        std::function<void(const InboxMessage& message)> accepted;  ///< with its row id
        std::function<void(const std::string& message_id)> self_test_returned;
    };

    Receiver(std::string agent_id, wire::SigningKeys keys, const Clock& clock,
             store::Writer& writer, Poster& loop, KeyRing& key_ring, Events events);

    /// Success: the message is stored, or refused for good; PUBACK may leave. Error: not stored.
    Result<void> on_message(std::string_view payload);

  private:
    Result<void> accept(wire::ParsedEnvelope parsed, std::string_view payload);
    Result<void> store_accepted(InboxMessage message);
    void accept_own(const wire::ParsedEnvelope& parsed, std::size_t size_bytes);
    void store_refused(Refusal reason, std::string_view detail, std::string_view claimed_sender,
                       std::size_t size_bytes);

    const std::string agent_id_;
    const wire::SigningKeys keys_;
    const Clock& clock_;
    store::Writer& writer_;
    Poster& loop_;
    KeyRing& key_ring_;
    const Events events_;
};

}  // namespace a2h::pipeline
