#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "core/domain/outbox.h"
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

    /// Looks for due rows. Call when rows were written or an agent connected.
    void kick();
    /// Starts the timer that moves overdue rows to the dead letters.
    void start_expiry();

    /// Delay before try number `attempts` + 1; `jitter` from -1 to 1. Source: R6.
    static std::chrono::milliseconds retry_delay(int attempts, double jitter);

  private:
    static constexpr int kBatchMax = 1'024;

    void publish(const OutboxMessage& message);
    void published(const OutboxMessage& message, const Result<void>& result);
    void settle(const OutboxMessage& message, store::Writer::Work work);
    void schedule_wakeup();
    void expire();

    const Context& context_;
    Agents& agents_;
    std::unordered_map<std::string, std::int64_t> in_flight_;  ///< conversation → row id
    Loop::TimerId wakeup_ = 0;
    bool kick_posted_ = false;
};

}  // namespace a2h::pipeline
