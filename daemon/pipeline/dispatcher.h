#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <unordered_map>

#include "core/domain/outbox.h"
#include "core/store/outbox_store.h"
#include "daemon/agent.h"
#include "daemon/context.h"

namespace a2h::pipeline {

/// Last stage: drains the outbox. Per peer in order with one message in flight; a peer that fails
/// backs off (2, 4, 8 … 120 s, ±20 %) and delays nobody else; a message whose lifetime is over
/// becomes a dead letter and its owner is told. Rows of an agent without connection just wait.
///
/// Thread: the loop.
class Dispatcher {
  public:
    Dispatcher(const Context& context, Agents& agents);

    /// Looks for due rows of all peers. Call at start, when an agent connected and when rows were
    /// written or changed that nobody hands to `send`.
    void kick();
    /// Signs what will be sent once it is written, while the disk is busy with it.
    void prepare(const OutboxMessage& message);
    /// Sends what is next for the peer of `written`, which was just committed: mostly itself.
    void send(OutboxMessage written, store::OutboxPlace place);
    /// Starts the timer that moves overdue rows to the dead letters.
    void start_expiry();

    /// Delay before try number `attempts` + 1; `jitter` from -1 to 1. Source: R6.
    static std::chrono::milliseconds retry_delay(int attempts, double jitter);

  private:
    static constexpr std::size_t kBatchMax = 1'024;

    struct InFlight {
        std::int64_t id = 0;  ///< of the row
        bool more = true;     ///< others of this peer may be queued behind it
    };
    struct Prepared {
        std::string envelope;
        UnixMs signed_at_ms = 0;
    };
    /// Prepared messages that are kept; when full, all are signed again.
    static constexpr std::size_t kPreparedMax = 64;
    /// An envelope says when it was signed, which must be when it is sent.
    static constexpr std::chrono::milliseconds kPreparedFor{1'000};

    void send_next(const std::string& agent_id, const std::string& target_id);
    bool can_send(const std::string& agent_id) const;
    void publish(const OutboxMessage& message, bool more);
    Result<std::string> envelope_of(const OutboxMessage& message);
    void published(const OutboxMessage& message, const Result<void>& result);
    void settle(const OutboxMessage& message, store::Writer::Work work);
    void settled(const OutboxMessage& message);
    void look_again_later(const Error& error);
    void schedule_wakeup(UnixMs now_ms);
    void expire();

    const Context& context_;
    Agents& agents_;
    std::unordered_map<std::string, InFlight> in_flight_;  ///< by conversation
    std::unordered_map<std::string, Prepared> prepared_;   ///< by message id
    Loop::TimerId wakeup_ = 0;
    bool kick_posted_ = false;
    bool cut_ = false;  ///< the last look found more peers than it takes at once
};

}  // namespace a2h::pipeline
