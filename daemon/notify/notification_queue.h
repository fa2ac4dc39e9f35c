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
#include "daemon/card/reader.h"
#include "daemon/notify/notifier.h"
#include "daemon/notify/pacing.h"
#include "daemon/notify/render.h"

namespace a2h::notify {

/// The secrets in a message that prove that its reader is the person to whom it was sent.
///
/// Thread:  the loop; the results may be used from any thread.
class Proofs {
  public:
    /// For an approval in its present form and a person.
    virtual Secrets secrets_of(const Approval& approval, const std::string& person) const = 0;
    /// For an offer to set a PIN.
    virtual std::string pin_code_of(const std::string& nonce, const std::string& person) const = 0;

  protected:
    ~Proofs() = default;
};

/// The source of attachments that are pictures.
///
/// Thread:  the loop.
class PictureSource {
  public:
    using Fetch = std::function<Result<std::string>()>;
    /// Returns a function that fetches an attachment's bytes on a worker; empty if it stays a link.
    virtual Fetch fetch_of(const std::string& agent_id, const std::string& url) = 0;

  protected:
    ~PictureSource() = default;
};

/// The people to notify, their language and their channels.
struct Audience {
    Channels channels;
    i18n::Language language = i18n::Language::English;  ///< language of people who have set none
    std::vector<Person> people;
};

/// Delivers notification rows to their channels until each is delivered, given up or no longer
/// needed, and updates shown messages to their final state.
///
/// There is one call for each channel at a time, so that an unreachable service delays no other
/// channel and occupies at most one worker. After a failure the channel waits 2, 4, 8 … 120 s; a
/// row older than a day is given up. A service that requests a longer wait is not called earlier,
/// up to `kAskedWaitMax`. The next step of a person's channels is used if two attempts or
/// `kStepTime` reached nobody, or if a service requests a wait. A question that was answered in the
/// meantime is not delivered. `plan` decides how many messages a person gets. The outcome, the
/// audit row "notified" and the next attempt are one commit; after an earlier crash the row is
/// delivered once more.
///
/// People, channels and languages of a reload apply from the next search on; running calls end on
/// the channel on which they began.
///
/// Thread:  the loop. Jobs of the workers must have ended or been dropped before this object is
///          destroyed.
class NotificationQueue {
    using SteadyTime = std::chrono::steady_clock::time_point;

  public:
    /// `workers` make the calls; a full queue counts as Unavailable. `page_url` is the address that
    /// shows everything that waits, or empty if no page is served. `attempted`, if set, is called
    /// after each attempt whose outcome is stored.
    NotificationQueue(Timers& loop, store::Writer& writer, store::Database& reader,
                      const Clock& clock, Runner& workers, const Proofs& proofs,
                      PictureSource& pictures, const std::string& page_url,
                      const Current<Audience>& audience, const card::ActingAgents& acting_agents,
                      std::function<void(const Notification&)> attempted = {});
    ~NotificationQueue();

    /// Schedules a search for due rows and outdated messages. Call at the start and after each
    /// commit that may have added some. The search repeats when a retry is due and every
    /// `kCheckEvery`.
    void wake();

    static constexpr std::chrono::seconds kCheckEvery{15};
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
    /// A pause that a service has requested.
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
    card::Reader reader_of(const std::string& person) const;
    void check();
    void promote_steps();
    void start(const Place& place);
    Result<Plan> plan_for(const Place& place);
    void hold(const Place& place, UnixMs until_ms);
    void start_single(const Place& place, const std::shared_ptr<Channel>& channel);
    void start_group(const Place& place, const std::shared_ptr<Channel>& channel);
    std::string thread_of(const Notification& row) const;
    Group group_of(const std::vector<Notification>& rows, std::int64_t count,
                   const card::Reader& reader) const;
    void drop_answered(const Place& place);
    /// The secrets for the person of `row`; none if other people who must agree would see them too.
    bool is_seen_by_others(const Notification& row, const Approval& approval) const;
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
    void settle_group(const Place& place, UnixMs checked_at_ms, const Notification& head,
                      const std::set<std::int64_t>& shown);
    void store_outcome(Notification row);
    void after_store(const Notification& row, bool stored);
    // Defined in notification_cards.cpp.
    void update_cards();
    void update_card(const Notification& row);
    void show_card(const Notification& row, const std::shared_ptr<Channel>& channel, Group group);
    void card_updated(const Notification& row, const std::vector<Question>& shown,
                      const Result<void>& updated);
    void submit(store::Writer::Work work, std::function<void(bool)> done);
    void check_in(std::chrono::milliseconds delay);
    void check_every();

    Timers& loop_;
    store::Writer& writer_;
    store::Database& reader_;  ///< belongs to the loop
    const Clock& clock_;
    Runner& workers_;
    const Proofs& proofs_;
    PictureSource& pictures_;
    const std::string page_url_;
    const Current<Audience>& audience_;
    const card::ActingAgents& acting_agents_;
    const std::function<void(const Notification&)> attempted_;
    std::set<std::string> busy_;                             ///< channels with a call in progress
    std::set<std::pair<std::string, std::string>> writing_;  ///< places whose rows are being moved
    std::map<std::pair<std::string, std::string>, SteadyTime> last_group_;  ///< person, channel
    std::map<std::int64_t, SteadyTime> card_retry_;  ///< rows whose message could not be updated
    std::map<std::string, Pause> pauses_;            ///< keyed by channel
    bool check_asked_ = false;
    bool promoting_ = false;
    /// Ends tasks and timers that were posted before this object was destroyed.
    std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace a2h::notify
