#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/base/clock.h"
#include "core/base/poster.h"
#include "core/domain/notification.h"
#include "core/i18n/messages.h"
#include "core/store/database.h"
#include "core/store/writer.h"
#include "daemon/notify/notifier.h"

namespace a2h::notify {

/// Takes notification rows to their channels until each is delivered, given up or no longer needed.
///
/// One delivery a channel at a time, so that a dead webhook delays no other channel and holds one
/// worker at most. After `Unavailable` it waits 2, 4, 8 … 120 s; a row older than a day is given
/// up. A question that was answered meanwhile is not delivered. The outcome, the audit row
/// "notified" and the next attempt are one commit; a crash before it delivers once more.
///
/// Thread: everything on the loop's thread; what is handed to `execute` runs on workers and must
/// have ended (or been dropped) before this object goes.
class NotificationQueue {
  public:
    /// Code and link of an approval in its present form.
    struct Secrets {
        std::string code;
        std::string link;
    };
    struct Environment {
        Poster& loop;
        store::Writer& writer;
        store::Database& reader;  ///< read-only; the loop's
        const Clock& clock;
        /// Runs on a worker; false when there is no room, which counts as Unavailable.
        std::function<bool(std::function<void()>)> execute;
        /// Runs on the loop after the delay.
        std::function<void(std::chrono::milliseconds, std::function<void()>)> call_after;
        std::function<Secrets(const Approval&)> secrets_of;
        /// Told after each attempt whose outcome is stored; may be empty.
        std::function<void(const Notification&)> attempted;
        i18n::Language language = i18n::Language::English;
    };

    NotificationQueue(Environment environment, std::vector<std::unique_ptr<Channel>> channels);
    ~NotificationQueue();

    /// Looks for due rows; call at start and after each commit that may have added some. Looks
    /// again by itself when a retry is due and every `kLookEvery`.
    void wake();

    static constexpr std::chrono::minutes kLookEvery{1};
    static constexpr std::chrono::hours kLifetime{24};

  private:
    Channel* channel_named(std::string_view name) const;
    void start(Notification row);
    void settle(Notification row, Result<std::string> outcome);
    void store_outcome(Notification row);
    void after_store(const Notification& row, bool stored);
    void look_in(std::chrono::milliseconds delay);
    void look_every();

    Environment environment_;
    std::vector<std::unique_ptr<Channel>> channels_;
    std::set<std::string> busy_;  ///< names of channels with a delivery in flight
    /// Ends what was posted or timed before this object went.
    std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace a2h::notify
