#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>

#include "core/domain/job.h"
#include "core/domain/message.h"
#include "daemon/context/agent.h"
#include "daemon/kernel/services.h"

namespace a2h::mail {

/// The job of a message as the writer stores it with the message, whose id it shares.
Job new_job(const InboxMessage& message);

/// Puts messages into their order: those of one peer have their turns one after the other, and
/// peers do not wait for each other. What does not fit into memory waits in the database.
///
/// Thread: the loop.
class Conversations {
  public:
    /// Does what is to be done with a message, and calls `finish` or `retry_later` for it later.
    class Turns {
      public:
        virtual void begin_turn(Job job, InboxMessage message) = 0;

      protected:
        ~Turns() = default;
    };

    Conversations(const kernel::Services& kernel, const Agents& agents, Turns& turns)
        : kernel_(kernel), agents_(agents), turns_(turns) {}

    /// Takes the pending jobs of the database; call at start.
    void kick();
    /// Takes a message that was just committed; every one must come here, in the order of their
    /// ids. What cannot be taken now is found by `kick` later.
    void accept(const InboxMessage& message);

    /// Whether nothing older of this peer is under way or waits.
    bool is_idle(const InboxMessage& message) const;
    /// Whether a new message would have its turn from memory.
    bool has_room() const { return !behind_ && taken_ < kTakenMax; }
    /// The turn of a message that is not committed yet; nothing begins by itself.
    void hold_turn(const InboxMessage& message);
    /// The message of `hold_turn` was committed.
    void note_stored(const InboxMessage& message);

    /// The turn of `message` is over.
    void finish(const InboxMessage& message);
    /// The turn of `message` begins again in a second.
    void retry_later(const InboxMessage& message);

    /// Jobs taken and not yet finished.
    std::size_t in_progress() const { return taken_; }

  private:
    static constexpr std::size_t kTakenMax = 1'024;
    static constexpr std::chrono::seconds kRetryDelay{1};

    void take(Job job, const InboxMessage& message);
    void start(const std::string& conversation);

    const kernel::Services& kernel_;
    const Agents& agents_;
    Turns& turns_;
    std::int64_t last_taken_id_ = 0;
    bool behind_ = true;  ///< the database may hold jobs after `last_taken_id_`
    std::size_t taken_ = 0;
    std::unordered_map<std::string, std::deque<Job>> waiting_;  ///< front is under way
};

}  // namespace a2h::mail
