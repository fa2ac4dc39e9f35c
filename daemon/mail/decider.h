#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "core/domain/task.h"
#include "daemon/collab/demand_mail.h"
#include "daemon/context/agent.h"
#include "daemon/context/context.h"
#include "daemon/decide/decision.h"
#include "daemon/house/agent_mail.h"
#include "daemon/mail/authenticator.h"
#include "daemon/mail/early_decision.h"
#include "daemon/outcome/outcome.h"
#include "daemon/stages/exchange.h"

namespace a2h::mail {

/// Second and third stage: takes pending tasks, finds out who speaks, decides, and commits what
/// follows. The messages of one peer are decided one after the other; peers do not wait for each
/// other. A task whose effects could not be written is decided again a second later. What has to
/// be drafted or judged by others first is handed to the stages and delays nothing here; the mail
/// by which agents work together or negotiate is not decided by rules at all.
///
/// Thread: the loop.
class Decider {
  public:
    using OnDecided = std::function<void(const outcome::Effects& effects)>;
    using OnEffects = std::function<void(const outcome::Effects& effects,
                                         const std::vector<store::OutboxPlace>& places)>;

    /// On the loop: `on_decided` while effects are being written, and `on_effects` after the
    /// commit, with the places of the outbox rows.
    Decider(const Context& context, Agents& agents, Authenticator& authenticator,
            stages::Exchange& stages, house::AgentMail& mail, collab::DemandMail& demand_mail,
            OnDecided on_decided, OnEffects on_effects);

    /// Takes the pending tasks of the database; call at start.
    void kick();
    /// Thinks about a message that is on its way to the disk. What can be said at once is given to
    /// `early`, if there is one, and is committed with the message; its conversation goes on after
    /// `decided` or `withdraw`. Any other thought is kept until `accept`, the last one only.
    void expect(const InboxMessage& message, EarlyDecision* early);
    /// The message was committed together with what was decided early.
    void decided(const InboxMessage& message, const EarlyDecision& early);
    /// Nothing came of what was decided early, if anything was.
    void withdraw(const InboxMessage& message, const EarlyDecision& early);
    /// Takes a message that was just committed; every one must come here, in the order of their
    /// ids. What cannot be taken now is found by `kick` later.
    void accept(const InboxMessage& message);
    /// Tasks taken and not yet finished.
    std::size_t in_progress() const { return taken_; }

    /// What `decision` changes when nothing stands in its way.
    outcome::Effects effects_of(const Task& task, const InboxMessage& message,
                                const decide::Input& input, decide::Decision decision) const;

  private:
    static constexpr std::size_t kTakenMax = 1'024;
    static constexpr std::chrono::seconds kRetryDelay{1};

    struct Thought {
        decide::Input input;
        decide::Decision decision;
    };
    /// Effects with the places of their outbox rows, once they are written.
    struct Job {
        outcome::Effects effects;
        std::vector<store::OutboxPlace> places;  ///< the writer's
    };

    Result<Thought> think(Agent& agent, const InboxMessage& message) const;
    Result<Thought> thought_about(const InboxMessage& message);
    bool can_decide_early(const decide::Decision& decision, const InboxMessage& message) const;
    bool give(EarlyDecision& early, const InboxMessage& message, Thought& thought);
    void take(Task task, const InboxMessage& message);
    void start(const std::string& conversation);
    void authenticate_then_decide(const std::string& conversation, Task task, InboxMessage message);
    void decide_one(const std::string& conversation, const Task& task, const InboxMessage& message);
    void commit(const std::string& conversation, outcome::Effects effects);
    void written(const std::string& conversation, const Result<void>& result);
    void finish(const std::string& conversation);
    void retry_later(const std::string& conversation);

    const Context& context_;
    Agents& agents_;
    Authenticator& authenticator_;
    stages::Exchange& stages_;
    house::AgentMail& mail_;
    collab::DemandMail& demand_mail_;
    const OnDecided on_decided_;
    const OnEffects on_effects_;
    std::int64_t last_taken_id_ = 0;
    bool behind_ = true;  ///< the database may hold tasks after `last_taken_id_`
    std::size_t taken_ = 0;
    std::optional<Thought> expected_;
    /// What was given and is neither written nor withdrawn.
    std::unordered_map<const EarlyDecision*, std::shared_ptr<Job>> early_;
    std::unordered_map<std::string, std::deque<Task>> conversations_;  ///< front is under way
};

}  // namespace a2h::mail
