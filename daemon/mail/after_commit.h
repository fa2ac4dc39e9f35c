#pragma once

#include <functional>
#include <vector>

#include "core/store/outbox_store.h"
#include "daemon/kernel/metrics.h"
#include "daemon/mail/answer_desk.h"
#include "daemon/mail/dispatcher.h"
#include "daemon/notify/notification_queue.h"
#include "daemon/outcome/outcome.h"

namespace a2h::mail {

/// Sets going what a commit has made due: messages that leave, notifications, approved actions.
/// When this process does not serve, all of it waits in the database.
///
/// Thread: the loop.
class AfterCommit {
  public:
    struct Parts {
        kernel::Metrics& metrics;
        Dispatcher& dispatcher;
        AnswerDesk& answers;
        notify::NotificationQueue& notifications;
    };
    AfterCommit(Parts parts, bool serves) : parts_(parts), serves_(serves) {}

    /// After a commit with rows that nobody hands over: looks for them.
    void look() const;
    /// After the commit of `effects`, whose outbox rows are at `places`.
    void take_over(const outcome::Effects& effects,
                   const std::vector<store::OutboxPlace>& places) const;

    /// The same as functions, for the parts that are made before this object.
    std::function<void()> looker() const {
        return [this] { look(); };
    }
    std::function<void(const outcome::Effects&, const std::vector<store::OutboxPlace>&)> taker()
        const {
        return
            [this](const outcome::Effects& effects, const std::vector<store::OutboxPlace>& places) {
                take_over(effects, places);
            };
    }

  private:
    const Parts parts_;
    const bool serves_;
};

}  // namespace a2h::mail
