#pragma once

#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "daemon/context/unread_mail.h"
#include "daemon/mail/authenticator.h"
#include "daemon/mail/conversations.h"
#include "daemon/mail/deciding.h"
#include "daemon/mail/early_decision.h"
#include "daemon/mail/receiver.h"
#include "daemon/outcome/commits.h"
#include "daemon/outcome/own_mail.h"
#include "daemon/stages/exchange.h"

namespace a2h::mail {

/// The way of a message from the broker to the outbox; read way.cpp from top to bottom. If the
/// effects of a message could not be written, it is processed again a second later. What must first
/// be drafted or reviewed is passed to the stages and delays nothing here.
///
/// Thread:  the loop, except `take_in`.
class Way final : public Arrivals, private Conversations::Turns, private outcome::CommitListener {
  public:
    Way(const kernel::Kernel& kernel, const Current<Config>& config, Agents& agents,
        Authenticator& authenticator, const Deciding& deciding,
        const outcome::OwnMailTable& own_mail, const UnreadMail& unread_mail,
        stages::Exchange& stages, outcome::Commits& commits);

    /// Continues the undecided messages of the database. Call at the start.
    void start() { conversations_.load_pending(); }

    /// 1. Stores what the broker delivers.
    ///
    /// Errors:  those of `Intake::on_message`.
    /// Thread:  Paho's.
    static Result<void> take_in(Intake& intake, std::string_view payload);

    // `Arrivals`. Decides about a message while it is being written: a decision that can be
    // made at once is given to `early`, if there is one, and committed with the message. Any other
    // decision is kept until `accept`; only the last one is kept.
    void expect(const InboxMessage& message, EarlyDecision* early) override;
    void accept(const InboxMessage& message) override { conversations_.accept(message); }
    void decided(const InboxMessage& message, const EarlyDecision& early) override;
    void withdraw(const InboxMessage& message, const EarlyDecision& early) override;
    void refused(const RefusedMail& mail) override;

    /// Messages that were taken and are still being processed.
    std::size_t in_progress() const { return conversations_.in_progress(); }

  private:
    /// One message while it is processed.
    struct Turn {
        Job job;
        InboxMessage message;
    };
    using TurnPtr = std::shared_ptr<Turn>;  ///< held by steps that wait for something
    struct Thought {
        decide::Input input;
        decide::Decision decision;
    };
    /// Effects with the places of their outbox rows, once written.
    struct Commit {
        outcome::Effects effects;
        std::vector<store::OutboxPlace> places;  ///< filled by the writer
    };

    void begin_turn(Job job, InboxMessage message) override;
    void delivered(const InboxMessage& message) override { conversations_.accept(message); }

    void authenticate(const TurnPtr& turn);
    void read(const TurnPtr& turn);
    void read_waiting_mail(const TurnPtr& turn, Thought thought);
    void read_listing(const TurnPtr& turn, Thought thought);
    void decide(const TurnPtr& turn, Thought thought);
    void write(const TurnPtr& turn, outcome::Effects effects);
    void dispatch(const Commit& commit);
    void end(const Turn& turn, const Result<void>& written);

    Result<Thought> think(const InboxMessage& message) const;
    std::optional<Thought> thought_ahead(const InboxMessage& message);
    bool may_be_early(const Thought& thought) const;
    bool give(EarlyDecision& early, Thought& thought);

    const kernel::Kernel& kernel_;
    const Current<Config>& config_;
    Agents& agents_;
    Authenticator& authenticator_;
    const Deciding& deciding_;
    const outcome::OwnMailTable& own_mail_;
    const UnreadMail& unread_mail_;
    stages::Exchange& stages_;
    const outcome::Commits& commits_;
    Conversations conversations_;
    std::optional<Thought> ahead_;
    /// Early decisions that were given and are neither written nor withdrawn.
    std::unordered_map<const EarlyDecision*, std::shared_ptr<Commit>> early_;
};

}  // namespace a2h::mail
