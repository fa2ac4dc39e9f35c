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
#include "core/base/current.h"
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

/// What proves in a message that its reader is the person it was sent to. Thread: the loop; what is
/// returned may be used from anywhere.
class Proofs {
  public:
    /// Of an approval in its present form, for a person.
    virtual Secrets secrets_of(const Approval& approval, const std::string& person) const = 0;
    /// Of an offer to set a PIN.
    virtual std::string pin_code_of(const std::string& nonce, const std::string& person) const = 0;

  protected:
    ~Proofs() = default;
};

/// Where attachments that are pictures come from. Thread: the loop.
class PictureSource {
  public:
    using Fetch = std::function<Result<std::string>()>;
    /// How to get an attachment's bytes on a worker; empty when it stays a link.
    virtual Fetch fetch_of(const std::string& agent_id, const std::string& url) = 0;

  protected:
    ~PictureSource() = default;
};

/// Who is told, in which language, and on which channels.
struct Audience {
    Channels channels;
    i18n::Language language = i18n::Language::English;  ///< of who has none of their own
    std::vector<Person> people;
};

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
/// A person, channel or language that a reload brings counts from the next look on; calls under way
/// end on the channel they began on.
///
/// Thread: everything on the loop's thread; what is handed to the workers must have ended (or been
/// dropped) before this object goes.
class NotificationQueue {
    using SteadyTime = std::chrono::steady_clock::time_point;

  public:
    /// `workers` make the calls; no room there counts as Unavailable. `page_url` is where all that
    /// waits is seen, empty when no page is served. `attempted`, if any, is told after each attempt
    /// whose outcome is stored.
    NotificationQueue(Timers& loop, store::Writer& writer, store::Database& reader,
                      const Clock& clock, Runner& workers, const Proofs& proofs,
                      PictureSource& pictures, const std::string& page_url,
                      const Current<Audience>& audience,
                      std::function<void(const Notification&)> attempted = {});
    ~NotificationQueue();

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
    struct Attachment {
        std::string name;
        PictureSource::Fetch fetch;
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
    static void add_pictures(Message& message, const std::vector<Attachment>& attachments);

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
    std::vector<Attachment> pictures_of(const Notification& row) const;
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

    Timers& loop_;
    store::Writer& writer_;
    store::Database& reader_;  ///< the loop's
    const Clock& clock_;
    Runner& workers_;
    const Proofs& proofs_;
    PictureSource& pictures_;
    const std::string page_url_;
    const Current<Audience>& audience_;
    const std::function<void(const Notification&)> attempted_;
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
