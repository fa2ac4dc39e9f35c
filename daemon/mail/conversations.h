#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>

#include "core/domain/job.h"
#include "core/domain/message.h"
#include "daemon/context/agent.h"
#include "daemon/kernel/kernel.h"

namespace a2h::mail {

/// The job of a message, stored together with it; both have the same id.
Job new_job(const InboxMessage& message);

/// Orders messages: those of one peer are processed one after the other, and peers do not wait for
/// each other. Messages that do not fit into memory wait in the database.
///
/// Thread:  the loop.
class Conversations {
  public:
    /// Processes one message, and calls `finish` or `retry_later` for it afterwards.
    class Turns {
      public:
        virtual void begin_turn(Job job, InboxMessage message) = 0;

      protected:
        ~Turns() = default;
    };

    Conversations(const kernel::Kernel& kernel, const Agents& agents, Turns& turns)
        : kernel_(kernel), agents_(agents), turns_(turns) {}

    /// Loads the pending jobs of the database. Call at the start.
    void load_pending();
    /// Accepts a message that was just committed. Call for every message, in the order of ids. If
    /// there is no room, `load_pending` finds it later.
    void accept(const InboxMessage& message);

    /// True if no older message of this peer is being processed or waits.
    bool is_idle(const InboxMessage& message) const;
    /// True if a new message would be processed without being loaded from the database.
    bool has_room() const { return !behind_ && taken_ < kTakenMax; }
    /// Reserves the turn of a message that is not committed yet.
    void hold_turn(const InboxMessage& message);
    /// The message of `hold_turn` was committed.
    void note_stored(const InboxMessage& message);

    /// The processing of `message` has ended.
    void finish(const InboxMessage& message);
    /// The processing of `message` starts again in a second.
    void retry_later(const InboxMessage& message);

    /// Jobs taken and not finished yet.
    std::size_t in_progress() const { return taken_; }

  private:
    static constexpr std::size_t kTakenMax = 1'024;
    static constexpr std::chrono::seconds kRetryDelay{1};

    void take(Job job, const InboxMessage& message);
    void start(const std::string& conversation);

    const kernel::Kernel& kernel_;
    const Agents& agents_;
    Turns& turns_;
    std::int64_t last_taken_id_ = 0;
    bool behind_ = true;  ///< the database may contain jobs after `last_taken_id_`
    std::size_t taken_ = 0;
    std::unordered_map<std::string, std::deque<Job>>
        waiting_;  ///< the first job of each list is being processed
};

}  // namespace a2h::mail
