#include "daemon/notify/notification_queue.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/base/log.h"
#include "core/base/time_text.h"
#include "core/domain/media_type.h"
#include "core/store/approval_store.h"
#include "core/wire/canonical.h"
#include "core/wire/json_member.h"
#include "daemon/notify/kinds.h"
#include "daemon/notify/pictures.h"
#include "daemon/notify/routing.h"

namespace a2h::notify {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kStoreRetry{5'000};
/// At most this many rows of a group are settled in one commit, so that other writes run in
/// between.
constexpr int kGroupChunk = 100;
constexpr UnixMs kHourMs = 3'600'000;
constexpr int kLimitOfStrangers = 30;
constexpr std::size_t kPicturesMax = 4;

/// 2, 4, 8 … 120 s, as for all retries (R6).
milliseconds delay_after(int attempts) {
    const std::int64_t seconds = std::int64_t{1} << std::clamp(attempts, 1, 7);
    return std::chrono::seconds(std::min<std::int64_t>(seconds, 120));
}

Result<void> write(store::Database& db, const Notification& row, const std::string& skip_words) {
    A2H_TRY(store::update_notification(db, row));
    if (row.state == "delivered") {
        A2H_TRY(store::skip_other_steps(db, row, skip_words, row.updated_at_ms));
    } else {
        A2H_TRY(store::promote_next_step(db, row, row.updated_at_ms));
    }
    if (row.state == "queued" || row.approval_id.empty()) return {};
    const std::string detail = wire::canonical_json({{"channel", row.channel},
                                                     {"kind", row.kind},
                                                     {"person", row.person},
                                                     {"state", row.state},
                                                     {"outcome", row.outcome}});
    return store::append_audit(db, row.approval_id, "notified", detail, row.updated_at_ms);
}

bool is_question(const Notification& row) {
    return row.kind == kAskedKind;
}

/// Applies the outcome of the group's first row to the next rows. Returns true if more may follow.
Result<bool> settle_chunk(store::Database& db, const store::DueNotifications& place,
                          UnixMs checked_at_ms, const Notification& head,
                          const std::set<std::int64_t>& shown, const std::string& skip_words) {
    A2H_ASSIGN_OR_RETURN(auto rows,
                         store::due_notifications_at(db, place, checked_at_ms, kGroupChunk));
    for (Notification& row : rows) {
        row.state = head.state;
        row.outcome = head.outcome;
        row.receipt = head.receipt;
        const bool open = is_question(row) && shown.contains(row.id) && !row.receipt.empty();
        row.card = open ? "open" : "";
        row.held = true;
        ++row.attempts;
        row.next_attempt_ms = head.next_attempt_ms;
        row.updated_at_ms = head.updated_at_ms;
        A2H_TRY(write(db, row, skip_words));
    }
    return rows.size() == kGroupChunk;
}

/// Returns the rows with their approvals, sorted so that rows about one peer are adjacent.
std::vector<std::pair<Notification, std::optional<Approval>>> by_peer(
    store::Database& reader, const std::vector<Notification>& rows) {
    std::vector<std::pair<Notification, std::optional<Approval>>> all;
    std::map<std::string, std::size_t> places;
    const auto place = [&](const auto& entry) {
        return places.at(entry.second ? entry.second->peer_id : std::string());
    };
    for (const Notification& row : rows) {
        std::optional<Approval> approval;
        if (!row.approval_id.empty())
            approval = store::get_approval(reader, row.approval_id).value_or(std::nullopt);
        places.emplace(approval ? approval->peer_id : std::string(), places.size());
        all.emplace_back(row, std::move(approval));
    }
    std::stable_sort(all.begin(), all.end(),
                     [&](const auto& a, const auto& b) { return place(a) < place(b); });
    return all;
}

}  // namespace

NotificationQueue::NotificationQueue(Timers& loop, store::Writer& writer, store::Database& reader,
                                     const Clock& clock, Runner& workers, const Proofs& proofs,
                                     PictureSource& pictures, const std::string& page_url,
                                     const Current<Audience>& audience,
                                     const card::ActingAgents& acting_agents,
                                     std::function<void(const Notification&)> attempted)
    : loop_(loop),
      writer_(writer),
      reader_(reader),
      clock_(clock),
      workers_(workers),
      proofs_(proofs),
      pictures_(pictures),
      page_url_(page_url),
      audience_(audience),
      acting_agents_(acting_agents),
      attempted_(std::move(attempted)) {
    check_every();
}

NotificationQueue::~NotificationQueue() = default;

void NotificationQueue::check_every() {
    loop_.call_after(kCheckEvery, [this, alive = std::weak_ptr(alive_)] {
        if (alive.expired()) return;
        wake();
        check_every();
    });
}

void NotificationQueue::check_in(milliseconds delay) {
    loop_.call_after(delay, [this, alive = std::weak_ptr(alive_)] {
        if (!alive.expired()) wake();
    });
}

std::shared_ptr<Channel> NotificationQueue::channel_named(std::string_view name) const {
    const auto audience = audience_.get();
    const Channels& channels = audience->channels;
    const auto found = std::find_if(channels.begin(), channels.end(),
                                    [&](const auto& channel) { return channel->name() == name; });
    return found == channels.end() ? nullptr : *found;
}

i18n::Language NotificationQueue::language_of(const std::string& person) const {
    const auto audience = audience_.get();
    const Person* found = find_person(audience->people, person);
    const bool own = found != nullptr && !found->language.empty();
    return own ? i18n::language_of(found->language) : audience->language;
}

card::Reader NotificationQueue::reader_of(const std::string& person) const {
    return {language_of(person), &acting_agents_};
}

void NotificationQueue::submit(store::Writer::Work work, std::function<void(bool)> done) {
    writer_.submit(store::Writer::Priority::Grouped, std::move(work),
                   [&loop = loop_, done = std::move(done),
                    alive = std::weak_ptr(alive_)](const Result<void>& stored) {
                       loop.post([done, alive, ok = stored.has_value()] {
                           if (!alive.expired()) done(ok);
                       });
                   });
}

// Many commits in a row cause one search only.
void NotificationQueue::wake() {
    if (check_asked_) return;
    check_asked_ = true;
    loop_.post([this, alive = std::weak_ptr(alive_)] {
        if (!alive.expired()) check();
    });
}

void NotificationQueue::check() {
    check_asked_ = false;
    promote_steps();
    auto places = store::due_notifications(reader_, clock_.now_ms());
    if (!places) {
        log::warning("Notifications could not be read; trying again later",
                     {{"error", places.error().message}});
        return;
    }
    for (const Place& place : *places)
        start(place);
    update_cards();
}

void NotificationQueue::promote_steps() {
    const UnixMs now_ms = clock_.now_ms();
    const auto overdue = store::has_overdue_steps(reader_, now_ms);
    if (promoting_ || !overdue || !*overdue) return;
    promoting_ = true;
    submit([now_ms](store::Database& db) { return store::promote_overdue_steps(db, now_ms); },
           [this](bool) {
               promoting_ = false;
               wake();
           });
}

void NotificationQueue::start(const Place& place) {
    if (busy_.contains(place.channel) || writing_.contains({place.person, place.channel})) return;
    const auto channel = channel_named(place.channel);
    if (channel == nullptr || channel->is_machine()) return start_single(place, channel);
    const auto decided = plan_for(place);
    if (!decided) return;  // the next search tries again
    switch (decided->kind) {
        case Plan::Kind::Single:
            return start_single(place, channel);
        case Plan::Kind::Group:
            return start_group(place, channel);
        case Plan::Kind::Wait:
            return hold(place, decided->until_ms);
    }
}

Result<Plan> NotificationQueue::plan_for(const Place& place) {
    const UnixMs now_ms = clock_.now_ms();
    A2H_ASSIGN_OR_RETURN(
        const auto sent,
        store::sent_notifications(reader_, place.person, place.channel, now_ms - kHourMs, now_ms));
    const auto audience = audience_.get();
    const Person* person = find_person(audience->people, place.person);
    const auto group = last_group_.find({place.person, place.channel});
    const auto ago = [&] {
        return std::chrono::ceil<milliseconds>(clock_.steady_now() - group->second);
    };
    return plan({.due = place.count,
                 .high = place.high_count,
                 .collected = place.held_count,
                 .sent = sent.count,
                 .oldest_sent_ms = sent.oldest_ms,
                 .last_group_ms = group == last_group_.end() ? 0 : now_ms - ago().count(),
                 .per_hour_max = person == nullptr ? kLimitOfStrangers : person->per_hour_max},
                now_ms);
}

void NotificationQueue::hold(const Place& place, UnixMs until_ms) {
    const UnixMs now_ms = clock_.now_ms();
    writing_.insert({place.person, place.channel});
    const std::string why = i18n::text(language_of(place.person), "notify.held_back",
                                       {{"time", to_local_time(until_ms)}});
    submit(
        [place, now_ms, until_ms, why](store::Database& db) {
            return store::hold_notifications(db, place, now_ms, until_ms,
                                             milliseconds(kStepTime).count(), why);
        },
        [this, place, now_ms, until_ms](bool) {
            writing_.erase({place.person, place.channel});
            check_in(milliseconds(until_ms - now_ms));
        });
}

/// Images among the attachments of the news; other attachments stay links.
std::vector<NotificationQueue::Attachment> NotificationQueue::pictures_of(
    const Notification& row) const {
    std::vector<Attachment> sources;
    if (!kind_row(row.kind).has_pictures) return sources;
    const auto body = nlohmann::json::parse(row.body_json, nullptr, false);
    for (const auto& attachment : wire::member(body, "attachments")) {
        const std::string name = wire::text_member(attachment, "name");
        const auto type = media_type_of(name);
        if (!type || !type->mime.starts_with("image/") || sources.size() >= kPicturesMax) continue;
        PictureSource::Fetch fetch = pictures_.fetch_of(wire::text_member(attachment, "agent_id"),
                                                        wire::text_member(attachment, "url"));
        if (fetch) sources.push_back({name, std::move(fetch)});
    }
    return sources;
}

void NotificationQueue::add_pictures(Message& message, const std::vector<Attachment>& attachments) {
    for (const Attachment& source : attachments) {
        // Without the picture there is still the link. The bytes determine the format.
        auto bytes = source.fetch();
        const auto type = bytes ? picture_type(*bytes) : std::nullopt;
        if (type) message.pictures.push_back({source.name, std::string(*type), std::move(*bytes)});
    }
}

void NotificationQueue::run(const std::shared_ptr<Channel>& channel, Notification row,
                            Message message,
                            std::function<void(Notification, Result<Delivered>)> then) {
    if (const Pause* pause = pause_of(row.channel))
        return then(std::move(row), fail(ErrorCode::Unavailable, pause->why));
    auto deliver = [this, channel, row, message = std::move(message), then,
                    pictures = pictures_of(row), &loop = loop_,
                    alive = std::weak_ptr(alive_)]() mutable {
        add_pictures(message, pictures);
        Result<Delivered> outcome = channel->deliver(message);
        // A channel knows only what it cut off.
        if (outcome && !has_code(message)) outcome->shows_code = false;
        const milliseconds wait = channel->take_wait();
        loop.post([this, alive, row, then, wait, outcome = std::move(outcome)] {
            if (alive.expired()) return;
            if (!outcome) pause(row.channel, wait, outcome.error().message);
            then(row, outcome);
        });
    };
    if (!workers_.submit(std::move(deliver))) {
        then(std::move(row), fail(ErrorCode::Unavailable, "a2hd is too busy"));
    }
}

void NotificationQueue::start_single(const Place& place, const std::shared_ptr<Channel>& channel) {
    auto rows = store::due_notifications_at(reader_, place, clock_.now_ms(), 1);
    if (!rows || rows->empty()) return;
    Notification row = std::move(rows->front());
    const card::Reader reader = reader_of(row.person);
    busy_.insert(row.channel);
    const auto say = [&](std::string_view key) {
        return fail(ErrorCode::InvalidArgument, i18n::text(reader.language, key));
    };
    if (channel == nullptr) return settle(std::move(row), say("notify.no_such_channel"));
    std::optional<Approval> approval;
    if (!row.approval_id.empty()) {
        auto found = store::get_approval(reader_, row.approval_id);
        if (!found) return settle(std::move(row), fail(found.error()));
        approval = std::move(*found);
    }
    if (is_question(row) && (!approval || approval->status != ApprovalStatus::Pending)) {
        return settle(std::move(row), say("notify.not_needed"));
    }
    Secrets secrets = is_question(row) ? secrets_of(row, *approval) : Secrets{};
    if (!kind_row(row.kind).code_key.empty()) secrets.code = pin_code_of(row);
    Message message = render(row, approval ? &*approval : nullptr, secrets, reader);
    if (approval && !is_question(row)) message.thread = thread_of(row);
    run(channel, std::move(row), std::move(message),
        [this](Notification done, const Result<Delivered>& outcome) {
            settle(std::move(done), outcome);
        });
}

/// Whether somebody else could use what is sent to this person to decide in their place: any other
/// person, unless one yes is enough and those of both count.
bool NotificationQueue::is_seen_by_others(const Notification& row, const Approval& approval) const {
    if (approval.voters.empty()) return false;
    const auto is_voter = [&names = approval.voters](const std::string& name) {
        return std::find(names.begin(), names.end(), name) != names.end();
    };
    std::vector<Person> others = audience_->people;
    std::erase_if(others, [&](const Person& person) {
        return approval.votes_needed == 1 && is_voter(row.person) && is_voter(person.name);
    });
    return !is_private_channel(others, row.person, row.channel);
}

Secrets NotificationQueue::secrets_of(const Notification& row, const Approval& approval) const {
    Secrets secrets = proofs_.secrets_of(approval, row.person);
    if (is_seen_by_others(row, approval))
        secrets = {.code = {}, .link = {}, .button_token = {}, .may_approve = secrets.may_approve};
    if (row.person != owner_of(audience_->people)) secrets.person_option = row.person;
    return secrets;
}

std::string NotificationQueue::pin_code_of(const Notification& row) const {
    if (!is_private_channel(audience_->people, row.person, row.channel)) return {};
    const auto body = nlohmann::json::parse(row.body_json, nullptr, false);
    return proofs_.pin_code_of(wire::text_member(body, "nonce"), row.person);
}

/// The thread of what the same person was asked on the same channel.
std::string NotificationQueue::thread_of(const Notification& row) const {
    const auto rows = store::notifications_of_approval(reader_, row.approval_id);
    std::string receipt;
    for (const Notification& before : rows.value_or({})) {
        if (is_question(before) && before.person == row.person && before.channel == row.channel)
            receipt = before.receipt;
    }
    return receipt;
}

NotificationQueue::Group NotificationQueue::group_of(const std::vector<Notification>& rows,
                                                     std::int64_t count,
                                                     const card::Reader& reader) const {
    Group group;
    std::vector<GroupLine> lines;
    for (const auto& [row, approval] : by_peer(reader_, rows)) {
        const bool open =
            is_question(row) && approval && approval->status == ApprovalStatus::Pending;
        const Secrets secrets = open ? secrets_of(row, *approval) : Secrets{};
        lines.push_back(group_line(row, approval ? &*approval : nullptr, secrets,
                                   static_cast<int>(lines.size()) + 1, reader));
        if (approval && is_question(row)) group.questions.push_back({row.id, *approval});
    }
    group.message = render_group(lines, count, page_url_, reader.language);
    return group;
}

void NotificationQueue::drop_answered(const Place& place) {
    writing_.insert({place.person, place.channel});
    const UnixMs now_ms = clock_.now_ms();
    const std::string words = i18n::text(language_of(place.person), "notify.not_needed");
    submit(
        [place, now_ms, words](store::Database& db) {
            return store::drop_answered_questions(db, place, words, now_ms);
        },
        [this, place](bool) {
            writing_.erase({place.person, place.channel});
            wake();
        });
}

void NotificationQueue::start_group(const Place& place, const std::shared_ptr<Channel>& channel) {
    const UnixMs now_ms = clock_.now_ms();
    const auto answered = store::count_answered_questions(reader_, place);
    if (answered && *answered > 0) return drop_answered(place);
    const auto rows = store::due_notifications_at(reader_, place, now_ms, kGroupShown);
    if (!rows || rows->empty()) return;
    const i18n::Language language = language_of(place.person);
    const Group group = group_of(*rows, place.count, reader_of(place.person));
    std::set<std::int64_t> shown;
    for (const Notification& row : *rows)
        shown.insert(row.id);
    busy_.insert(place.channel);
    last_group_[{place.person, place.channel}] = clock_.steady_now();
    run(channel, rows->front(), group.message,
        [this, place, now_ms, language, shown](Notification head,
                                               const Result<Delivered>& outcome) {
            head = settled(std::move(head), outcome);
            head.held = true;
            if (outcome) {
                head.outcome = i18n::text(
                    language, "notify.group_reached",
                    {{"count", std::to_string(place.count - 1)}, {"words", outcome->words}});
            }
            settle_group(place, now_ms, head, shown);
        });
}

void NotificationQueue::pause(const std::string& channel, milliseconds wait, std::string why) {
    if (wait.count() <= 0) return;
    wait = std::min<milliseconds>(wait, kAskedWaitMax);
    pauses_[channel] = {clock_.steady_now() + wait, std::move(why)};
}

const NotificationQueue::Pause* NotificationQueue::pause_of(const std::string& channel) const {
    const auto found = pauses_.find(channel);
    const bool over = found == pauses_.end() || found->second.until <= clock_.steady_now();
    return over ? nullptr : &found->second;
}

milliseconds NotificationQueue::left_of(const Pause& pause) const {
    return std::chrono::ceil<milliseconds>(pause.until - clock_.steady_now());
}

Notification NotificationQueue::settled(Notification row, const Result<Delivered>& outcome) const {
    const UnixMs now = clock_.now_ms();
    ++row.attempts;
    row.updated_at_ms = now;
    row.outcome = outcome ? outcome->words : outcome.error().message;
    if (outcome || outcome.error().code == ErrorCode::Timeout) row.sent_at_ms = now;
    const bool over = now - row.created_at_ms > milliseconds(kLifetime).count();
    if (outcome) {
        row.state = "delivered";
        row.receipt = outcome->receipt;
        row.shows_code = outcome->shows_code;
        if (is_question(row) && !row.receipt.empty()) row.card = "open";
    } else if (outcome.error().code == ErrorCode::InvalidArgument || over) {
        row.state = "failed";
    } else {
        row.next_attempt_ms = now + delay_after(row.attempts).count();
        const Pause* pause = pause_of(row.channel);
        const UnixMs until_ms = pause == nullptr ? 0 : now + left_of(*pause).count();
        if (until_ms > row.next_attempt_ms) {
            row.next_attempt_ms = until_ms;
            row.outcome = i18n::text(language_of(row.person), "notify.asked_to_wait",
                                     {{"why", row.outcome}, {"time", to_local_time(until_ms)}});
        }
    }
    return row;
}

void NotificationQueue::settle(Notification row, const Result<Delivered>& outcome) {
    store_outcome(settled(std::move(row), outcome));
}

/// Settles the first row first, because it counts for the limit, and then the others in chunks.
void NotificationQueue::settle_group(const Place& place, UnixMs checked_at_ms,
                                     const Notification& head,
                                     const std::set<std::int64_t>& shown) {
    const std::string words = i18n::text(language_of(head.person), "notify.reached_otherwise");
    auto more = std::make_shared<bool>(false);
    submit(
        [place, checked_at_ms, head, shown, words, more](store::Database& db) -> Result<void> {
            A2H_TRY(write(db, head, words));
            A2H_ASSIGN_OR_RETURN(auto rest,
                                 settle_chunk(db, place, checked_at_ms, head, shown, words));
            *more = rest;
            return {};
        },
        [this, place, checked_at_ms, head, shown, more](bool stored) {
            if (stored && !*more) return after_store(head, true);
            if (stored) return settle_group(place, checked_at_ms, head, shown);
            loop_.call_after(kStoreRetry, [this, place, checked_at_ms, head, shown,
                                           alive = std::weak_ptr(alive_)] {
                if (!alive.expired()) settle_group(place, checked_at_ms, head, shown);
            });
        });
}

void NotificationQueue::store_outcome(Notification row) {
    const std::string words = i18n::text(language_of(row.person), "notify.reached_otherwise");
    submit([row, words](store::Database& db) { return write(db, row, words); },
           [this, row](bool stored) { after_store(row, stored); });
}

void NotificationQueue::after_store(const Notification& row, bool stored) {
    if (!stored) {
        // The channel stays busy, because repeated deliveries during a full disk would flood the
        // human.
        loop_.call_after(kStoreRetry, [this, row, alive = std::weak_ptr(alive_)] {
            if (!alive.expired()) store_outcome(row);
        });
        return;
    }
    busy_.erase(row.channel);
    if (row.state == "queued")
        check_in(milliseconds(std::max<UnixMs>(row.next_attempt_ms - clock_.now_ms(), 0)));
    if (attempted_) attempted_(row);
    wake();
}

}  // namespace a2h::notify
