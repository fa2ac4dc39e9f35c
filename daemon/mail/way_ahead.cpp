// The decision of the loop about a message that is still being written (way.h).

#include <utility>

#include "core/base/check.h"
#include "daemon/kernel/fault_point.h"
#include "daemon/mail/snapshot.h"
#include "daemon/mail/way.h"

namespace a2h::mail {

void Way::expect(const InboxMessage& message, EarlyDecision* early) {
    const auto agent = agents_.find(message.agent_id);
    std::optional<Thought> thought;
    if (agent != agents_.end() && conversations_.is_idle(message) &&
        own_mail_.find(message) == nullptr && !authenticator_.is_needed(*agent->second, message)) {
        if (auto thinking = think(message)) thought = std::move(*thinking);
    }
    if (thought && early && may_be_early(*thought) && give(*early, *thought)) return;
    if (early) early->decline();
    if (thought) ahead_ = std::move(thought);
}

/// Only answers and silence: writing them reads nothing but the message's own row. Messages that
/// wait in the database are older and come first.
bool Way::may_be_early(const Thought& thought) const {
    const bool is_plain = thought.decision.kind == decide::Kind::Answer ||
                          thought.decision.kind == decide::Kind::Silent;
    return is_plain && thought.input.message.source != SourceClass::Platform &&
           !stages_.handles(thought.decision) && conversations_.has_room();
}

/// False if the writer no longer waits.
bool Way::give(EarlyDecision& early, Thought& thought) {
    const InboxMessage& message = thought.input.message;
    auto commit = std::make_shared<Commit>();
    commit->effects =
        deciding_.effects_of(new_job(message), message, thought.input, thought.decision);
    // The writer gets a copy, so that the reply can be signed at the same time.
    const auto write = [commit, effects = commit->effects, policy = policy_of(config_)](
                           store::Database& db, std::int64_t inbox_id) mutable -> Result<void> {
        outcome::set_job_id(effects, inbox_id);
        A2H_ASSIGN_OR_RETURN(commit->places, outcome::write_effects(db, effects, *policy));
        commit->effects.has_renewed = effects.has_renewed;
        return {};
    };
    A2H_FAULT_POINT("decide.2");
    if (!early.give(write)) return false;
    conversations_.hold_turn(message);
    commits_.writing(commit->effects);
    early_[&early] = std::move(commit);
    return true;
}

void Way::decided(const InboxMessage& message, const EarlyDecision& early) {
    const auto node = early_.extract(&early);
    A2H_CHECK(!node.empty());
    Commit& commit = *node.mapped();
    outcome::set_job_id(commit.effects, message.id);
    conversations_.note_stored(message);
    ahead_.reset();
    count_arrival(*agents_.at(message.agent_id), message, commit.effects.job->updated_at_ms);
    A2H_FAULT_POINT("effects.3");
    dispatch(commit);
    conversations_.finish(message);
}

void Way::withdraw(const InboxMessage& message, const EarlyDecision& early) {
    if (early_.erase(&early) > 0) conversations_.finish(message);
}

/// The decision of `expect`, if it was about this message. Every decision clears it, so it is never
/// older than the last event of its conversation.
std::optional<Way::Thought> Way::thought_ahead(const InboxMessage& message) {
    auto ahead = std::exchange(ahead_, std::nullopt);
    const bool same = ahead && ahead->input.message.agent_id == message.agent_id &&
                      ahead->input.message.envelope_json == message.envelope_json &&
                      ahead->input.message.provenance == message.provenance;
    return same ? std::move(ahead) : std::nullopt;
}

}  // namespace a2h::mail
