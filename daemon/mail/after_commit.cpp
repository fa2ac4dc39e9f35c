#include "daemon/mail/after_commit.h"

namespace a2h::mail {
namespace {

/// A task that waits for a stage is decided later.
bool is_decided(TaskState state) {
    return state == TaskState::Done || state == TaskState::WaitingForHuman;
}

}  // namespace

void AfterCommit::look() const {
    if (!serves_) return;
    parts_.dispatcher.kick();
    parts_.notifications.wake();
}

/// Called for each message, so it asks nobody who has nothing to do.
void AfterCommit::take_over(const outcome::Effects& effects,
                            const std::vector<store::OutboxPlace>& places) const {
    if (effects.task && is_decided(effects.task->state)) {
        parts_.metrics.decided.add(effects.task->rule_id, effects.task->decision);
    }
    if (effects.approval) parts_.metrics.count_opened(*effects.approval);
    if (!serves_) return;
    for (std::size_t i = 0; i < places.size(); ++i)
        parts_.dispatcher.send(effects.outbox[i], places[i]);
    const bool is_approved =
        effects.approval && effects.approval->status == ApprovalStatus::Approved;
    if (is_approved) parts_.answers.released(*effects.approval);
    if (effects.news || (effects.approval && !is_approved)) parts_.notifications.wake();
}

}  // namespace a2h::mail
