#pragma once

#include <vector>

#include "daemon/notify/notification_queue.h"
#include "daemon/outcome/commits.h"

namespace a2h::upkeep {

/// Wakes the queue of notifications after each commit that may have added to it.
///
/// Thread:  the loop.
class NotificationWaker final : public outcome::CommitListener {
  public:
    NotificationWaker(notify::NotificationQueue& queue, outcome::Commits& commits) : queue_(queue) {
        commits.add(*this);
    }

    void rows_written() override { queue_.wake(); }
    /// Called for each message, so it does not wake the queue without need.
    void written(const outcome::Effects& effects, const std::vector<store::OutboxPlace>&) override {
        const bool asks = effects.approval && effects.approval->status != ApprovalStatus::Approved;
        if (effects.news || asks || effects.has_renewed) queue_.wake();
    }

  private:
    notify::NotificationQueue& queue_;
};

}  // namespace a2h::upkeep
