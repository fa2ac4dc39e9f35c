#include "daemon/outcome/commits.h"

namespace a2h::outcome {
namespace {

/// A job that waits for a stage is decided later.
bool is_decided(JobState state) {
    return state == JobState::Done || state == JobState::WaitingForHuman;
}

}  // namespace

void CommitListener::writing(const Effects&) {}
void CommitListener::written(const Effects&, const std::vector<store::OutboxPlace>&) {}
void CommitListener::rows_written() {}
void CommitListener::delivered(const InboxMessage&) {}

void Commits::writing(const Effects& effects) const {
    for (CommitListener* listener : listeners_)
        listener->writing(effects);
}

void Commits::written(const Effects& effects, const std::vector<store::OutboxPlace>& places) const {
    if (effects.job && is_decided(effects.job->state))
        metrics_.decided.add(effects.job->rule_id, effects.job->decision);
    if (effects.approval) metrics_.count_opened(*effects.approval);
    if (!serves_) return;
    for (CommitListener* listener : listeners_)
        listener->written(effects, places);
}

void Commits::rows_written() const {
    if (!serves_) return;
    for (CommitListener* listener : listeners_)
        listener->rows_written();
}

void Commits::delivered(const InboxMessage& message) const {
    for (CommitListener* listener : listeners_)
        listener->delivered(message);
}

}  // namespace a2h::outcome
