#pragma once

#include <atomic>
#include <chrono>
#include <string>
#include <string_view>

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/wire/envelope.h"
#include "market/db/database.h"

namespace a2h::market {

/// Stores the messages between agents for the history: receives what the broker carried on any
/// agent's topic, and stores each message that its sender has signed in one of the two ways,
/// because its receiver counts exactly these as said. What does not belong to a conversation's
/// history is stored apart (`store::record_apart`): a message that its receiver refuses for its
/// form (R45), one under an id that its sender has used before (R1), one of a revoked agent, and
/// one that is older than the history. Everything else is dropped and counted; self-tests and the
/// market's own events, which the announcer stores itself, are not stored either. Messages that
/// belong to a session of the exchange are added to it.
///
/// `record` returns when the message is durable, so that the broker keeps it until then.
///
/// Thread:  one, the broker connection's; any for the counters.
class Recorder {
  public:
    /// `database` and `clock` must outlive it. Messages that were sent longer than `kept` ago are
    /// recorded apart, so that nobody can bring a deleted message back into the history by
    /// publishing it again; if `kept` is 0, none are.
    Recorder(db::Database& database, const Clock& clock, std::string own_sender_id,
             std::chrono::hours kept)
        : database_(database),
          clock_(clock),
          own_sender_id_(std::move(own_sender_id)),
          kept_(kept) {}

    /// Errors:  those of the database; the message must then be delivered again.
    Result<void> record(std::string_view topic, std::string_view payload);

    std::uint64_t recorded() const { return recorded_; }
    std::uint64_t dropped() const { return dropped_; }

  private:
    Result<void> record_accepted(const wire::ParsedEnvelope& parsed, std::string_view payload);
    Result<void> record_refused(const wire::RefusedEnvelope& refused, std::string_view target,
                                std::string_view payload);
    Result<void> drop();
    /// False if no database can store the message.
    Result<bool> count(const Result<void>& stored);
    bool is_too_old(UnixMs sent_at_ms) const;

    db::Database& database_;
    const Clock& clock_;
    const std::string own_sender_id_;
    const std::chrono::hours kept_;
    std::atomic<std::uint64_t> recorded_{0};
    std::atomic<std::uint64_t> dropped_{0};
};

}  // namespace a2h::market
