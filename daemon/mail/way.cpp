// The way of a message, from top to bottom. Step 1 runs on the broker's thread, step 5 on the store
// writer, all others on the loop. What the loop decides while a message is being stored is in
// way_ahead.cpp.

#include "daemon/mail/way.h"

#include <utility>

#include "core/base/check.h"
#include "core/base/log.h"
#include "daemon/kernel/fault_point.h"
#include "daemon/mail/listing_look.h"
#include "daemon/mail/snapshot.h"

namespace a2h::mail {

Way::Way(const kernel::Kernel& kernel, const Current<Config>& config, Agents& agents,
         Authenticator& authenticator, const Deciding& deciding,
         const outcome::OwnMailTable& own_mail, const UnreadMail& unread_mail,
         stages::Exchange& stages, outcome::Commits& commits)
    : kernel_(kernel),
      config_(config),
      agents_(agents),
      authenticator_(authenticator),
      deciding_(deciding),
      own_mail_(own_mail),
      unread_mail_(unread_mail),
      stages_(stages),
      commits_(commits),
      conversations_(kernel, agents, *this) {
    commits.add(*this);
}

/// 1. Receive: `Receiver` checks format and key, and stores the message with its job. It calls
/// `expect` before the commit and `accept` after it. The PUBACK is sent when this returns.
Result<void> Way::take_in(Intake& intake, std::string_view payload) {
    return intake.on_message(payload);
}

/// Messages of one peer are processed one after the other (`Conversations`).
void Way::begin_turn(Job job, InboxMessage message) {
    authenticate(std::make_shared<Turn>(Turn{std::move(job), std::move(message)}));
}

/// 2. Authenticate: find the sender of a message that the receiver could not verify.
void Way::authenticate(const TurnPtr& turn) {
    const Agent& agent = *agents_.at(turn->job.agent_id);
    if (!authenticator_.is_needed(agent, turn->message)) return read(turn);
    authenticator_.authenticate(agent, turn->message, [this, turn](Provenance provenance) {
        turn->message.provenance = provenance;
        read(turn);
    });
}

/// A refused message goes no further, but it counts as said by its sender (R45).
void Way::refused(const RefusedMail& mail) {
    const auto agent = agents_.find(mail.agent_id);
    if (agent != agents_.end()) authenticator_.authenticate(*agent->second, mail);
}

/// 3. Read: if the message belongs to a feature (`OwnMail`), the feature settles it. Otherwise
/// everything that the decision depends on is read.
void Way::read(const TurnPtr& turn) {
    A2H_FAULT_POINT("decide.1");
    // Taken in every case, so that an older thought is never used for a later message.
    auto ahead = thought_ahead(turn->message);
    if (outcome::OwnMail* feature = own_mail_.find(turn->message)) {
        feature->receive(turn->job, turn->message,
                         [this, turn](const Result<void>& written) { end(*turn, written); });
        return;
    }
    auto thought = ahead ? Result<Thought>(std::move(*ahead)) : think(turn->message);
    if (thought) return read_waiting_mail(turn, std::move(*thought));
    log::warning("A message could not be processed; trying again later",
                 {{"error", thought.error().message}});
    conversations_.retry_later(turn->message);
}

/// 3a. Read the waiting mail, if a mandate could answer this message (R52).
void Way::read_waiting_mail(const TurnPtr& turn, Thought thought) {
    if (!thought.decision.is_plain_offer) return read_listing(turn, std::move(thought));
    const auto kept = std::make_shared<Thought>(std::move(thought));
    unread_mail_.read_for_mandate(kernel_.reader, turn->job.agent_id,
                                  [this, turn, kept](bool is_read) {
                                      kept->decision.is_plain_offer = is_read;
                                      read_listing(turn, std::move(*kept));
                                  });
}

/// 3b. Read the listing, if it is somebody else's and a mandate goes on about it (R48). It is read
/// last, because the writer looks once more at what has arrived, but not at the market.
void Way::read_listing(const TurnPtr& turn, Thought thought) {
    const auto& [job, message] = *turn;
    const auto step = consent::step_of(message, thought.decision, thought.input.now_ms);
    if (step == nullptr) return decide(turn, std::move(thought));
    const auto kept = std::make_shared<Thought>(std::move(thought));
    look_at_listing(kernel_, agents_.at(job.agent_id)->platform.get(),
                    {job.agent_id, message.sender_id, step->works_id()},
                    [this, turn, kept](std::string digest) {
                        kept->decision.listing_digest = std::move(digest);
                        decide(turn, std::move(*kept));
                    });
}

/// 4. Decide: by rules (`Deciding`), or by the stages (daemon/stages) if a reply has to be drafted
/// or reviewed.
void Way::decide(const TurnPtr& turn, Thought thought) {
    const auto& [job, message] = *turn;
    // For the limit of messages per minute.
    count_arrival(*agents_.at(job.agent_id), message, thought.input.now_ms);
    if (!stages_.handles(thought.decision)) {
        write(turn, deciding_.effects_of(job, message, thought.input, std::move(thought.decision)));
        return;
    }
    stages_.open(job, thought.input, std::move(thought.decision),
                 [this, turn](const Result<void>& written) { end(*turn, written); });
}

/// 5. Write: commits all effects in one transaction; the lambda runs on the store writer.
void Way::write(const TurnPtr& turn, outcome::Effects effects) {
    auto commit = std::make_shared<Commit>(Commit{std::move(effects), {}});
    // Listeners sign replies in `writing`. Normally that overlaps with the write. With a question
    // the writer changes `effects.approval` at the same time, so the listeners are called before
    // it.
    const bool may_change = commit->effects.approval.has_value();
    if (may_change) commits_.writing(commit->effects);
    A2H_FAULT_POINT("decide.3");
    kernel_.write(
        store::Writer::Priority::Grouped,
        [commit, policy = policy_of(config_)](store::Database& db) -> Result<void> {
            A2H_ASSIGN_OR_RETURN(commit->places,
                                 outcome::write_effects(db, commit->effects, *policy));
            return {};
        },
        [this, turn, commit](const Result<void>& written) {
            A2H_FAULT_POINT("effects.3");
            if (written) dispatch(*commit);
            end(*turn, written);
        });
    if (!may_change) commits_.writing(commit->effects);
}

/// 6. Dispatch: `Dispatcher` sends messages, `NotificationQueue` notifies people, and `Answers`
/// carries out what a mandate has approved.
void Way::dispatch(const Commit& commit) {
    commits_.written(commit.effects, commit.places);
}

/// Continues with the next message of this peer, or with this one again.
void Way::end(const Turn& turn, const Result<void>& written) {
    // Conflict means that the message has already been decided, so its turn is over.
    const bool is_over = written || written.error().code == ErrorCode::Conflict;
    is_over ? conversations_.finish(turn.message) : conversations_.retry_later(turn.message);
}

Result<Way::Thought> Way::think(const InboxMessage& message) const {
    A2H_ASSIGN_OR_RETURN(auto input, deciding_.snapshot(message));
    auto decision = deciding_.decision_for(input, stages_.can_draft());
    return Thought{std::move(input), std::move(decision)};
}

}  // namespace a2h::mail
