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
#include "daemon/house/residents.h"
#include "daemon/kernel/services.h"
#include "daemon/outcome/commits.h"
#include "daemon/outcome/own_mail.h"

namespace a2h::mail {

/// Last stage: drains the outbox. Per peer in order with one message in flight; a peer that fails
/// backs off (2, 4, 8 … 120 s, ±20 %) and delays nobody else; a message whose lifetime is over
/// becomes a dead letter and its owner is told. Rows of an agent without connection just wait.
///
/// A target of this house needs no connection: its inbox row, what follows from it and the end of
/// the outbox row are one transaction. One that was stopped is a dead letter at once,
/// `agent_not_found`.
///
/// Thread: the loop.
class Dispatcher final : public outcome::CommitListener {
  public:
    Dispatcher(const kernel::Services& kernel, const Current<Config>& config,
               kernel::Metrics& metrics, Agents& agents, const house::Residents& residents,
               const outcome::OwnMailTable& own_mail, outcome::Commits& commits);

    /// Looks for due rows of all peers. Call at start, when an agent connected and when rows were
    /// written or changed that nobody hands to `send`.
    void kick();
    /// Signs what will be sent once it is written, while the disk is busy with it.
    void prepare(const OutboxMessage& message);
    /// Sends what is next for the peer of `written`, which was just committed: mostly itself.
    void send(OutboxMessage written, store::OutboxPlace place);
    /// Writes the row of `message` with all that `write` changes besides, and tells `done`, on the
    /// loop. To an agent of this house, unless older mail to it waits, it is delivered in the same
    /// commit, so `write` must leave `message` as it is. Errors: those of `write`; InvalidArgument
    /// for a message that an agent of this house would refuse.
    using Write = std::function<Result<store::OutboxPlace>(store::Database& db)>;
    using Done = std::function<void(const Result<void>&)>;
    void queue(OutboxMessage message, Write write, Done done);
    /// Starts the timer that moves overdue rows to the dead letters.
    void start_expiry();

    /// When the oldest message was handed over about which the broker connection has not said
    /// anything yet; absent without any.
    std::optional<std::chrono::steady_clock::time_point> unanswered_since() const;
    /// The connection says how a publish went within this: it looks at its own time limit once it
    /// has credentials and has connected.
    static constexpr std::chrono::seconds kPublishWaitMax{35};

    /// Delay before try number `attempts` + 1; `jitter` from -1 to 1. Source: R6.
    static std::chrono::milliseconds retry_delay(int attempts, double jitter);

    // As `outcome::CommitListener`: what is being written is signed meanwhile, what is written is
    // sent.
    void writing(const outcome::Effects& effects) override;
    void written(const outcome::Effects& effects,
                 const std::vector<store::OutboxPlace>& places) override;
    void look() override { kick(); }

  private:
    static constexpr std::size_t kBatchMax = 1'024;

    struct InFlight {
        std::int64_t id = 0;  ///< of the row
        bool more = true;     ///< others of this peer may be queued behind it
        /// When the connection got it; absent while the message is elsewhere.
        std::optional<std::chrono::steady_clock::time_point> published_at{};
    };
    struct HandOver;
    struct Prepared {
        std::string envelope;
        UnixMs signed_at_ms = 0;
    };
    /// Prepared messages that are kept; when full, all are signed again.
    static constexpr std::size_t kPreparedMax = 64;
    /// An envelope says when it was signed, which must be when it is sent.
    static constexpr std::chrono::milliseconds kPreparedFor{1'000};

    void send_next(const std::string& agent_id, const std::string& target_id);
    bool can_send(const std::string& agent_id, const std::string& target_id) const;
    bool is_at_home(const std::string& target_id) const;
    void queue_only(const OutboxMessage& message, Write write, Done done);
    Result<std::shared_ptr<HandOver>> new_hand_over(const OutboxMessage& message, UnixMs now_ms);
    Result<void> hand_over(store::Database& db, HandOver& handed, UnixMs now_ms) const;
    void handed_over(const HandOver& handed);
    void deliver(const OutboxMessage& message);
    void bury(const OutboxMessage& message, const std::string& why);
    void publish(const OutboxMessage& message, bool more);
    Result<std::string> envelope_of(const OutboxMessage& message);
    void published(const OutboxMessage& message, const Result<void>& result);
    void settle(const OutboxMessage& message, store::Writer::Work work,
                const std::function<void()>& written = {});
    void settled(const OutboxMessage& message);
    void look_again_later(const Error& error);
    void schedule_wakeup(UnixMs now_ms);
    void expire();

    const kernel::Services& kernel_;
    const Current<Config>& config_;
    kernel::Metrics& metrics_;
    Agents& agents_;
    const house::Residents& residents_;
    const outcome::OwnMailTable& own_mail_;
    const outcome::Commits& commits_;
    std::unordered_map<std::string, InFlight> in_flight_;  ///< by conversation
    std::unordered_map<std::string, Prepared> prepared_;   ///< by message id
    Loop::TimerId wakeup_ = 0;
    bool kick_posted_ = false;
    bool cut_ = false;  ///< the last look found more peers than it takes at once
};

}  // namespace a2h::mail
