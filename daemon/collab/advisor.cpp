#include "daemon/collab/advisor.h"

#include <chrono>
#include <map>
#include <memory>
#include <utility>

#include "core/base/log.h"
#include "core/store/invitation_store.h"
#include "core/store/profile_store.h"

namespace a2h::collab {
namespace {

/// At most so many invitations are considered at once. The next ones follow when one of them is
/// done.
constexpr int kConsideredMax = 100;
/// The limit for one requester, so that its invitations do not delay those of others at the model.
/// Further ones are put to the human with the words of the rules.
constexpr int kConsideredOfOneMax = 8;
constexpr std::chrono::seconds kAgainDelay{1};

}  // namespace

Advisor::Advisor(const kernel::Kernel& kernel, const Current<Config>& config, Agents& agents,
                 ProfileSource& profiles, const UnreadMail& unread_mail, Thinking* thinking,
                 const outcome::Commits& commits)
    : kernel_(kernel),
      config_(config),
      agents_(agents),
      profiles_(profiles),
      unread_mail_(unread_mail),
      thinking_(thinking),
      commits_(commits) {}

void Advisor::check_waiting() {
    if (std::exchange(check_posted_, true)) return;
    kernel_.loop.post([this] { check_now(); });
}

void Advisor::check_now() {
    check_posted_ = false;
    const auto waiting = store::invitations_in_thought(kernel_.reader, kConsideredMax);
    if (!waiting) {
        log::warning("Invitations could not be read", {{"error", waiting.error().message}});
        kernel_.loop.call_after(kAgainDelay, [this] { check_waiting(); });
        return;
    }
    std::map<std::string, int> of_one;  // oldest first
    for (const Invitation& each : *waiting) {
        const bool is_on_top = ++of_one[each.requester_id] > kConsideredOfOneMax;
        const auto agent = agents_.find(each.agent_id);
        if (agent == agents_.end() || agent->second->is_stopped) continue;
        const bool is_new = under_way_.insert(key_of(each)).second;
        if (!is_new) continue;
        thinking_ && !is_on_top ? consider(each) : ask_human(each, {});
    }
}

/// The card opens when the advice has come or its time is over, whichever is first.
void Advisor::consider(const Invitation& invitation) {
    kernel_.loop.call_after(std::chrono::milliseconds(kThoughtTimeMinMs), [this, invitation] {
        if (under_way_.contains(key_of(invitation))) ask_human(invitation, {});
    });
    profiles_.refresh(*agents_.at(invitation.agent_id), [this, invitation] { advise(invitation); });
}

void Advisor::advise(const Invitation& invitation) {
    const auto agent = agents_.find(invitation.agent_id);
    auto published = store::get_profile(kernel_.reader, invitation.agent_id);
    if (agent == agents_.end() || !published) return ask_human(invitation, {});
    thinking_->advise(
        invitation,
        own_profile(std::move(*published), invitation.agent_id, config_->negotiation,
                    agent->second->listings),
        [this, invitation](Advice advice) { ask_human(invitation, std::move(advice)); });
}

void Advisor::ask_human(const Invitation& invitation, Advice advice) {
    Thought thought{invitation.agent_id, invitation.requester_id, invitation.negotiation_id,
                    invitation.thought_job_id, std::move(advice)};
    unread_mail_.read_for_mandate(kernel_.reader, invitation.agent_id,
                                  [this, thought = std::move(thought)](bool is_read) mutable {
                                      thought.asks_mandate = is_read;
                                      write(thought);
                                  });
}

/// Stores the question.
void Advisor::write(const Thought& thought) {
    struct Settlement {
        outcome::Effects effects;
        std::vector<store::OutboxPlace> places;
    };
    const auto settlement = std::make_shared<Settlement>();
    const Key key{thought.agent_id, thought.job_id};
    kernel_.write(
        store::Writer::Priority::Grouped,
        [settlement, thought, config = config_.get(),
         now_ms = kernel_.clock.now_ms()](store::Database& db) -> Result<void> {
            A2H_ASSIGN_OR_RETURN(
                auto effects,
                ask_after_thought(db, thought, {config->negotiation, config->approval}, now_ms));
            settlement->effects = std::move(effects);
            A2H_ASSIGN_OR_RETURN(auto places,
                                 outcome::write_effects(db, settlement->effects, config->approval));
            settlement->places = std::move(places);
            return {};
        },
        [this, settlement, key](const Result<void>& written) {
            under_way_.erase(key);
            if (written) {
                commits_.written(settlement->effects, settlement->places);
                return check_waiting();
            }
            log::warning("The human could not be asked about an invitation",
                         {{"error", written.error().message}});
            kernel_.loop.call_after(kAgainDelay, [this] { check_waiting(); });
        });
}

}  // namespace a2h::collab
