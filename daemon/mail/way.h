#pragma once

#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "daemon/mail/authenticator.h"
#include "daemon/mail/conversations.h"
#include "daemon/mail/deciding.h"
#include "daemon/mail/early_decision.h"
#include "daemon/mail/receiver.h"
#include "daemon/outcome/commits.h"
#include "daemon/outcome/own_mail.h"
#include "daemon/stages/exchange.h"

namespace a2h::mail {

/// The way of a message from the broker to the outbox; way.cpp is to be read from top to bottom.
/// A message whose effects could not be written goes its way again a second later. What has to be
/// drafted or judged by others first is handed to the stages and delays nothing here.
///
/// Thread: the loop, except `take_in`.
class Way final : public Arrivals, private Conversations::Turns, private outcome::CommitListener {
  public:
    Way(const kernel::Services& kernel, const Current<Config>& config, Agents& agents,
        Authenticator& authenticator, const Deciding& deciding,
        const outcome::OwnMailTable& own_mail, stages::Exchange& stages, outcome::Commits& commits);

    /// Takes up what the database holds undecided; call at start.
    void start() { conversations_.kick(); }

    /// 1. What the broker delivers is stored. Errors: those of `Intake::on_message`. Thread:
    /// Paho's.
    static Result<void> take_in(Intake& intake, std::string_view payload);

    // As `Arrivals`. Thinks ahead about a message that is on its way to the disk: what can be said
    // at once is given to `early`, if there is one, and is committed with the message. Any other
    // thought is kept until `accept`, the last one only.
    void expect(const InboxMessage& message, EarlyDecision* early) override;
    void accept(const InboxMessage& message) override { conversations_.accept(message); }
    void decided(const InboxMessage& message, const EarlyDecision& early) override;
    void withdraw(const InboxMessage& message, const EarlyDecision& early) override;

    /// Messages that were taken and whose way is not over.
    std::size_t in_progress() const { return conversations_.in_progress(); }

  private:
    /// One message under way.
    struct Turn {
        Job job;
        InboxMessage message;
    };
    using TurnPtr = std::shared_ptr<Turn>;  ///< of the steps that wait for something
    struct Thought {
        decide::Input input;
        decide::Decision decision;
    };
    /// Effects with the places of their outbox rows, once they are written.
    struct Commit {
        outcome::Effects effects;
        std::vector<store::OutboxPlace> places;  ///< the writer's
    };

    void begin_turn(Job job, InboxMessage message) override;
    void delivered(const InboxMessage& message) override { conversations_.accept(message); }

    void authenticate(const TurnPtr& turn);
    void read(const TurnPtr& turn);
    void decide(const TurnPtr& turn, Thought thought);
    void write(const TurnPtr& turn, outcome::Effects effects);
    void dispatch(const Commit& commit);
    void end(const Turn& turn, const Result<void>& written);

    Result<Thought> think(const InboxMessage& message) const;
    std::optional<Thought> thought_ahead(const InboxMessage& message);
    bool may_be_early(const Thought& thought) const;
    bool give(EarlyDecision& early, Thought& thought);

    const kernel::Services& kernel_;
    const Current<Config>& config_;
    Agents& agents_;
    Authenticator& authenticator_;
    const Deciding& deciding_;
    const outcome::OwnMailTable& own_mail_;
    stages::Exchange& stages_;
    const outcome::Commits& commits_;
    Conversations conversations_;
    std::optional<Thought> ahead_;
    /// What was given and is neither written nor withdrawn.
    std::unordered_map<const EarlyDecision*, std::shared_ptr<Commit>> early_;
};

}  // namespace a2h::mail
