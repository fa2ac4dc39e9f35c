#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/clock.h"
#include "core/base/poster.h"
#include "core/domain/notification.h"
#include "core/domain/person.h"
#include "core/i18n/messages.h"
#include "core/store/database.h"
#include "core/store/notification_store.h"
#include "core/store/writer.h"
#include "daemon/notify/notifier.h"
#include "daemon/notify/pacing.h"
#include "daemon/notify/render.h"

namespace a2h::notify {

/// Takes notification rows to their channels until each is delivered, given up or no longer needed,
/// and brings what channels show to its final state.
///
/// One call a channel at a time, so that a dead service delays no other channel and holds one
/// worker at most. After a failure it waits 2, 4, 8 … 120 s; a row older than a day is given up.
/// A service that asks to wait longer is not called before its time, `kAskedWaitMax` at most.
/// The next step of a person's channels is taken when nobody was reached by two attempts or in
/// `kStepTime`, or when a service asks to wait. A question that was answered meanwhile is not
/// delivered. How many messages a person gets is up to `plan`. The outcome, the audit row
/// "notified" and the next attempt are one commit; a crash before it delivers once more.
///
/// Thread: everything on the loop's thread; what is handed to `execute` runs on workers and must
/// have ended (or been dropped) before this object goes.
class NotificationQueue {
    using SteadyTime = std::chrono::steady_clock::time_point;

  public:
    using Fetch = std::function<Result<std::string>()>;
    struct Environment {
        Poster& loop;
        store::Writer& writer;
        store::Database& reader;  ///< read-only; the loop's
        const Clock& clock;
        /// Runs on a worker; false when there is no room, which counts as Unavailable.
        std::function<bool(std::function<void()>)> execute;
        /// Runs on the loop after the delay.
        std::function<void(std::chrono::milliseconds, std::function<void()>)> call_after;
        /// Of an approval in its present form, for a person.
        std::function<Secrets(const Approval&, const std::string& person)> secrets_of;
        /// Of an offer to set a PIN, see `consent::offer_pin`. May be empty.
        std::function<std::string(const std::string& nonce, const std::string& person)> pin_code_of;
        /// Told after each attempt whose outcome is stored; may be empty.
        std::function<void(const Notification&)> attempted;
        /// Where all that waits is seen; empty when no page is served.
        std::function<std::string()> page_url;
        /// How to get an attachment's bytes on a worker; empty when it stays a link. May be empty.
        std::function<Fetch(const std::string& agent_id, const std::string& url)> fetch_of;
        i18n::Language language = i18n::Language::English;
        std::vector<Person> people;
    };

    NotificationQueue(Environment environment, Channels channels);
    ~NotificationQueue();

    /// Replaces what the constructor was given. Calls under way end on the channel they began on.
    void use(i18n::Language language, std::vector<Person> people, Channels channels);

    /// Looks, soon, for rows that are due and for cards that are out of date; call at start and
    /// after each commit that may have added some. Looks again by itself when a retry is due and
    /// every `kLookEvery`.
    void wake();

    static constexpr std::chrono::seconds kLookEvery{15};
    static constexpr std::chrono::hours kLifetime{24};
    static constexpr std::chrono::hours kAskedWaitMax{1};
    static constexpr int kGroupShown = 10;

  private:
    using Place = store::DueNotifications;
    struct PictureSource {
        std::string name;
        Fetch fetch;
    };
    /// A question as a message shows it.
    struct Question {
        std::int64_t row = 0;
        Approval approval;
    };
    /// A service wants to be left alone.
    struct Pause {
        SteadyTime until;
        std::string why;
    };
    struct Group {
        Message message;
        std::vector<Question> questions;
    };
    static void add_pictures(Message& message, const std::vector<PictureSource>& sources);

    std::shared_ptr<Channel> channel_named(std::string_view name) const;
    i18n::Language language_of(const std::string& person) const;
    void look();
    void promote_steps();
    void start(const Place& place);
    Result<Plan> plan_for(const Place& place);
    void hold(const Place& place, UnixMs until_ms);
    void start_single(const Place& place, const std::shared_ptr<Channel>& channel);
    void start_group(const Place& place, const std::shared_ptr<Channel>& channel);
    std::string thread_of(const Notification& row) const;
    Group group_of(const std::vector<Notification>& rows, std::int64_t count,
                   i18n::Language language) const;
    void drop_answered(const Place& place);
    /// What proves the person of `row`; nothing where others that must agree would see it, too.
    Secrets secrets_of(const Notification& row, const Approval& approval) const;
    std::string pin_code_of(const Notification& row) const;
    std::vector<PictureSource> pictures_of(const Notification& row) const;
    void run(const std::shared_ptr<Channel>& channel, Notification row, Message message,
             std::function<void(Notification, Result<Delivered>)> then);
    void pause(const std::string& channel, std::chrono::milliseconds wait, std::string why);
    /// nullptr: the channel may be called.
    const Pause* pause_of(const std::string& channel) const;
    std::chrono::milliseconds left_of(const Pause& pause) const;
    Notification settled(Notification row, const Result<Delivered>& outcome) const;
    void settle(Notification row, const Result<Delivered>& outcome);
    void settle_group(const Place& place, UnixMs looked_at_ms, const Notification& head,
                      const std::set<std::int64_t>& shown);
    void store_outcome(Notification row);
    void after_store(const Notification& row, bool stored);
    // In notification_cards.cpp.
    void update_cards();
    void update_card(const Notification& row);
    void show_card(const Notification& row, const std::shared_ptr<Channel>& channel, Group group);
    void card_updated(const Notification& row, const std::vector<Question>& shown,
                      const Result<void>& updated);
    void submit(store::Writer::Work work, std::function<void(bool)> done);
    void look_in(std::chrono::milliseconds delay);
    void look_every();

    Environment environment_;
    Channels channels_;
    std::set<std::string> busy_;  ///< names of channels with a call in flight
    std::set<std::pair<std::string, std::string>> writing_;  ///< places whose rows are being moved
    std::map<std::pair<std::string, std::string>, SteadyTime> last_group_;  ///< person, channel
    std::map<std::int64_t, SteadyTime> card_retry_;  ///< rows whose card could not be changed
    std::map<std::string, Pause> pauses_;            ///< by channel
    bool look_asked_ = false;
    bool promoting_ = false;
    /// Ends what was posted or timed before this object went.
    std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace a2h::notify
