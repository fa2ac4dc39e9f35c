#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "core/domain/message.h"
#include "core/domain/outbox.h"
#include "core/store/outbox_store.h"
#include "daemon/config/current.h"
#include "daemon/context/agent.h"
#include "daemon/context/unread_mail.h"
#include "daemon/kernel/kernel.h"
#include "daemon/mail/dead_letter.h"
#include "daemon/mail/envelopes.h"
#include "daemon/mail/late_judge.h"
#include "daemon/outcome/commits.h"
#include "daemon/outcome/delivery.h"

namespace a2h::mail {

/// The last step: sends the outbox. Messages to a peer are sent in order, one at a time. After a
/// failure the peer's messages wait for 2, 4, 8 … 120 s (±20 %) without delaying others. A message
/// whose lifetime has ended becomes a dead letter, and its owner is notified. Rows of an agent
/// without a connection wait.
///
/// A target that `outcome::Delivery` knows needs no connection: its arrival and the end of the
/// outbox row are one transaction. A message to a stopped target becomes a dead letter at once,
/// `agent_not_found`. What could not be sent at once passes the `LateJudge` first.
///
/// Thread:  the loop.
class Dispatcher final : public outcome::CommitListener, private LateJudge::Sender {
  public:
    Dispatcher(const kernel::Kernel& kernel, const Current<Config>& config,
               kernel::Metrics& metrics, Agents& agents, const outcome::Delivery& delivery,
               const UnreadMail& unread_mail, outcome::Commits& commits);

    /// Searches for due rows of all peers. Call at the start, when an agent has connected, and
    /// after rows were written or changed without a call of `send`.
    void search_due();
    /// Sends the next message to the peer of `written`, which was just committed; usually this is
    /// `written` itself.
    void send(OutboxMessage written, store::OutboxPlace place);
    using Write = std::function<Result<store::OutboxPlace>(store::Database& db)>;
    using Done = std::function<void(const Result<void>&)>;
    /// Writes the row of `message` with the changes of `write`, and calls `done` on the loop. A
    /// message that needs no broker is delivered in the same commit, unless older mail to its
    /// target waits; `write` must therefore not change `message`.
    ///
    /// Errors:  those of `write`; InvalidArgument for a message that such a target would refuse.
    void queue(OutboxMessage message, Write write, Done done);
    /// Starts the timer that turns expired rows into dead letters.
    void start_expiry();

    /// When the oldest message was passed to the broker connection that has not reported a result
    /// yet; absent if there is none.
    std::optional<std::chrono::steady_clock::time_point> unanswered_since() const;
    /// The connection reports the result of a publish within this time. It checks its own time
    /// limit once it has credentials and is connected.
    static constexpr std::chrono::seconds kPublishWaitMax{35};

    /// The delay before attempt `attempts` + 1; `jitter` is from -1 to 1.
    ///
    /// Source:  R6.
    static std::chrono::milliseconds retry_delay(int attempts, double jitter);

    // `outcome::CommitListener`: signs messages while they are written, and sends them afterwards.
    void writing(const outcome::Effects& effects) override;
    void written(const outcome::Effects& effects,
                 const std::vector<store::OutboxPlace>& places) override;
    void rows_written() override { search_due(); }

  private:
    // `LateJudge::Sender`.
    bool can_send(const OutboxMessage& message) const override;
    /// To the broker.
    void pass_on(const OutboxMessage& message) override;
    void leave_queued(const OutboxMessage& message) override;
    void give_up(const OutboxMessage& message, GivenUp why) override;

    static constexpr std::size_t kBatchMax = 1'024;

    struct InFlight {
        std::int64_t id = 0;  ///< id of the row
        bool more = true;     ///< further messages to this peer may be queued behind it
        /// When the connection received it; absent before and after that.
        std::optional<std::chrono::steady_clock::time_point> published_at{};
    };
    void send_next(const std::string& agent_id, const std::string& target_id);
    bool can_send(const std::string& agent_id, const std::string& target_id) const;
    void prepare(const OutboxMessage& message);
    void queue_only(const OutboxMessage& message, Write write, Done done);
    Result<std::shared_ptr<outcome::Delivery::Passage>> passage_of(const OutboxMessage& message);
    void deliver(const OutboxMessage& message);
    void bury(const OutboxMessage& message, const DeadLetter& dead);
    void publish(const OutboxMessage& message, bool more);
    bool may_pass(const OutboxMessage& message);
    void published(const OutboxMessage& message, const Result<void>& result);
    void settle(const OutboxMessage& message, store::Writer::Work work,
                const std::function<void()>& written = {});
    void settled(const OutboxMessage& message);
    void check_again_later(const Error& error);
    void schedule_wakeup(UnixMs now_ms);
    void expire();

    const kernel::Kernel& kernel_;
    const Current<Config>& config_;
    kernel::Metrics& metrics_;
    Agents& agents_;
    const outcome::Delivery& delivery_;
    Envelopes envelopes_;
    LateJudge late_judge_;
    std::unordered_map<std::string, InFlight> in_flight_;  ///< keyed by conversation
    Loop::TimerId wakeup_ = 0;
    bool search_posted_ = false;
    bool cut_ = false;  ///< the last search found more peers than it takes at once
};

}  // namespace a2h::mail
