#include "core/store/notification_store.h"

#include "core/store/statement.h"

namespace a2h::store {
namespace {

constexpr auto kNotification = sql::table<Notification>(
    "notification",
    A2H_COLUMNS(Notification, id, agent_id, channel, kind, body_json, state, outcome, attempts,
                next_attempt_ms, created_at_ms, updated_at_ms, news, person, step, receipt, card,
                held, shows_code, sent_at_ms),
    sql::column("approval_id", &Notification::approval_id, sql::NullIfEmpty{}),
    sql::column("priority", &Notification::priority, sql::Number{}));

}  // namespace

Result<std::int64_t> insert_notification(Database& db, const Notification& notification) {
    static constexpr auto kNew =
        sql::without<kNotification, &Notification::id, &Notification::receipt, &Notification::card,
                     &Notification::shows_code, &Notification::sent_at_ms>();
    static const std::string kSql = kNew.insert();
    return db.statement(kSql).put_new(kNew, notification);
}

Result<std::optional<Notification>> get_notification(Database& db, std::int64_t id) {
    static const std::string kSql = kNotification.select("where id = ?");
    return db.statement(kSql).first(kNotification, id);
}

Result<std::vector<Notification>> notifications_of_approval(Database& db,
                                                            std::string_view approval_id) {
    static const std::string kSql = kNotification.select("where approval_id = ? order by id");
    return db.statement(kSql).all(kNotification, approval_id);
}

Result<bool> was_code_delivered(Database& db, std::string_view approval_id,
                                std::string_view person) {
    static constexpr const char* kSql =
        "select exists (select 1 from notification where approval_id = ?1 "
        "and kind = 'approval.asked' and state = 'delivered' and held = 0 and shows_code "
        "and channel <> 'desktop' and (?2 = '' or person = ?2))";
    return db.statement(kSql).is_true(approval_id, person);
}

Result<std::vector<Notification>> list_notifications(Database& db, int limit) {
    static const std::string kSql = kNotification.select("order by id desc limit ?");
    return db.statement(kSql).all(kNotification, limit);
}

Result<std::vector<DueNotifications>> due_notifications(Database& db, UnixMs now_ms) {
    static constexpr const char* kSql =
        "select person, channel, count(*), sum(priority = 2), sum(held), max(id) "
        "from notification where state = 'queued' and next_attempt_ms <= ? "
        "group by person, channel order by max(priority) desc, min(next_attempt_ms)";
    return db.statement(kSql).all(
        [](Row& row) {
            return DueNotifications{row.text(0),    row.text(1),    row.integer(2),
                                    row.integer(3), row.integer(4), row.integer(5)};
        },
        now_ms);
}

Result<std::vector<Notification>> due_notifications_at(Database& db, const DueNotifications& place,
                                                       UnixMs now_ms, int limit) {
    static const std::string kSql = kNotification.select(
        "where state = 'queued' and person = ? and channel = ? "
        "and next_attempt_ms <= ? and id <= ? order by priority desc, next_attempt_ms, id limit ?");
    return db.statement(kSql).all(kNotification, place.person, place.channel, now_ms, place.last_id,
                                  limit);
}

Result<SentNotifications> sent_notifications(Database& db, std::string_view person,
                                             std::string_view channel, UnixMs since_ms,
                                             UnixMs until_ms) {
    static constexpr const char* kSql =
        "select count(*), coalesce(min(sent_at_ms), 0) from notification "
        "where person = ? and channel = ? and sent_at_ms > 0 and sent_at_ms > ? "
        "and sent_at_ms <= ?";
    A2H_ASSIGN_OR_RETURN(auto found,
                         db.statement(kSql).first(
                             [](Row& row) {
                                 return SentNotifications{row.integer(0), row.integer(1)};
                             },
                             person, channel, since_ms, until_ms));
    return found.value_or(SentNotifications{});
}

Result<void> update_notification(Database& db, const Notification& notification) {
    static constexpr auto kChange =
        sql::only<kNotification, &Notification::state, &Notification::outcome,
                  &Notification::receipt, &Notification::attempts, &Notification::held,
                  &Notification::shows_code, &Notification::sent_at_ms,
                  &Notification::next_attempt_ms, &Notification::updated_at_ms>();
    static const std::string kSql = kChange.update(
        ", card = case when ? = 'open' and exists (select 1 from approval "
        "where approval.id = notification.approval_id and approval.status <> 'pending') "
        "then 'stale' else ? end where id = ?");
    A2H_ASSIGN_OR_RETURN(const bool changed,
                         db.statement(kSql).puts_a_row(kChange, notification, notification.card,
                                                       notification.card, notification.id));
    if (changed) return {};
    return fail(ErrorCode::NotFound, "there is no notification " + std::to_string(notification.id));
}

Result<void> hold_notifications(Database& db, const DueNotifications& place, UnixMs now_ms,
                                UnixMs until_ms, std::int64_t step_ms, std::string_view why) {
    static constexpr const char* kLaterSteps =
        "update notification set next_attempt_ms = ?1 + (step - (select min(before.step) "
        "from notification before where before.news = notification.news "
        "and before.person = notification.person and before.state = 'queued')) * ?2 "
        "where state = 'waiting' and next_attempt_ms < ?1 and person = ?3 and news in "
        "(select news from notification where state = 'queued' and person = ?3 and channel = ?4 "
        "and next_attempt_ms <= ?5 and id <= ?6)";
    A2H_TRY(db.statement(kLaterSteps)
                .run(until_ms, step_ms, place.person, place.channel, now_ms, place.last_id));
    static constexpr const char* kHold =
        "update notification set next_attempt_ms = ?, held = 1, outcome = ? where state = 'queued' "
        "and person = ? and channel = ? and next_attempt_ms <= ? and id <= ?";
    return db.statement(kHold).run(until_ms, why, place.person, place.channel, now_ms,
                                   place.last_id);
}

Result<void> skip_other_steps(Database& db, const Notification& delivered, std::string_view why,
                              UnixMs now_ms) {
    static constexpr const char* kSql =
        "update notification set state = 'skipped', outcome = ?, updated_at_ms = ? "
        "where news = ? and person = ? and step <> ? and state in ('queued', 'waiting')";
    return db.statement(kSql).run(why, now_ms, delivered.news, delivered.person, delivered.step);
}

Result<void> promote_next_step(Database& db, const Notification& tried, UnixMs now_ms) {
    static constexpr const char* kSql =
        "update notification set state = 'queued', next_attempt_ms = ?1 "
        "where news = ?2 and person = ?3 and step = ?4 + 1 and state = 'waiting' "
        "and not exists (select 1 from notification tried where tried.news = ?2 "
        "and tried.person = ?3 and tried.step = ?4 and tried.state = 'queued' "
        "and (tried.attempts = 0 or (tried.attempts = 1 and tried.next_attempt_ms <= ?1 + 10000)))";
    return db.statement(kSql).run(now_ms, tried.news, tried.person, tried.step);
}

Result<bool> has_overdue_steps(Database& db, UnixMs now_ms) {
    static constexpr const char* kSql =
        "select count(*) from (select 1 from notification where state = 'waiting' "
        "and next_attempt_ms <= ? limit 1)";
    return db.statement(kSql).is_true(now_ms);
}

Result<void> promote_overdue_steps(Database& db, UnixMs now_ms) {
    static constexpr const char* kSql =
        "update notification set state = 'queued' where state = 'waiting' "
        "and next_attempt_ms <= ?";
    return db.statement(kSql).run(now_ms);
}

// Selects from `places` those that are due, as the rows themselves say.
#define A2H_ANSWERED_QUESTIONS                                                                 \
    "state = 'queued' and person = ? and channel = ? and id <= ? and kind = 'approval.asked' " \
    "and exists (select 1 from approval where approval.id = notification.approval_id "         \
    "and approval.status <> 'pending')"

Result<std::int64_t> count_answered_questions(Database& db, const DueNotifications& place) {
    static constexpr const char* kSql =
        "select count(*) from notification where " A2H_ANSWERED_QUESTIONS;
    return db.statement(kSql).number(place.person, place.channel, place.last_id);
}

Result<void> drop_answered_questions(Database& db, const DueNotifications& place,
                                     std::string_view why, UnixMs now_ms) {
    static constexpr const char* kSql =
        "update notification set state = 'failed', outcome = ?, updated_at_ms = ? "
        "where " A2H_ANSWERED_QUESTIONS;
    return db.statement(kSql).run(why, now_ms, place.person, place.channel, place.last_id);
}

Result<ShownTogether> shown_together(Database& db, std::string_view channel,
                                     std::string_view receipt, int limit) {
    static const std::string kRows = kNotification.select(
        "where receipt <> '' and channel = ? and receipt = ? "
        "order by card = '', priority desc, id limit ?");
    static constexpr const char* kCount =
        "select count(*) from notification where receipt <> '' and channel = ? and receipt = ?";
    A2H_ASSIGN_OR_RETURN(auto rows,
                         db.statement(kRows).all(kNotification, channel, receipt, limit));
    A2H_ASSIGN_OR_RETURN(const auto count, db.statement(kCount).number(channel, receipt));
    return ShownTogether{std::move(rows), count};
}

Result<std::vector<Notification>> stale_cards(Database& db, int limit) {
    static const std::string kSql =
        kNotification.select("where card = 'stale' order by id limit ?");
    return db.statement(kSql).all(kNotification, limit);
}

Result<void> finish_card(Database& db, std::int64_t id, std::string_view status,
                         std::string_view outcome) {
    static constexpr const char* kSql =
        "update notification set card = case when exists (select 1 from approval "
        "where approval.id = notification.approval_id and approval.status = ? "
        "and approval.outcome = ?) then 'final' else 'stale' end where id = ?";
    return db.statement(kSql).run(status, outcome, id);
}

Result<void> set_card(Database& db, std::int64_t id, std::string_view card) {
    static constexpr const char* kSql = "update notification set card = ? where id = ?";
    A2H_ASSIGN_OR_RETURN(const bool changed, db.statement(kSql).changes_a_row(card, id));
    if (changed) return {};
    return fail(ErrorCode::NotFound, "there is no notification " + std::to_string(id));
}

}  // namespace a2h::store
