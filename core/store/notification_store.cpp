#include "core/store/notification_store.h"

#include "core/store/statement.h"

namespace a2h::store {
namespace {

Notification read_notification(Row& row) {
    Notification notification;
    notification.id = row.integer(0);
    notification.agent_id = row.text(1);
    notification.approval_id = row.text(2);
    notification.channel = row.text(3);
    notification.kind = row.text(4);
    notification.body_json = row.text(5);
    notification.state = row.text(6);
    notification.outcome = row.text(7);
    notification.attempts = row.small(8);
    notification.next_attempt_ms = row.integer(9);
    notification.created_at_ms = row.integer(10);
    notification.updated_at_ms = row.integer(11);
    return notification;
}

}  // namespace

Result<std::int64_t> insert_notification(Database& db, const Notification& notification) {
    static constexpr const char* kSql =
        "insert into notification (agent_id, approval_id, channel, kind, body_json, state, "
        "outcome, attempts, next_attempt_ms, created_at_ms, updated_at_ms) "
        "values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    Statement& insert = db.statement(kSql);
    A2H_TRY(insert.run(notification.agent_id, OrNull{notification.approval_id},
                       notification.channel, notification.kind, notification.body_json,
                       notification.state, notification.outcome, notification.attempts,
                       notification.next_attempt_ms, notification.created_at_ms,
                       notification.updated_at_ms));
    return insert.last_id();
}

Result<std::vector<Notification>> due_notifications(Database& db, UnixMs now_ms, int limit) {
    static constexpr const char* kSql =
        "select id, agent_id, coalesce(approval_id, ''), channel, kind, body_json, state, "
        "outcome, attempts, next_attempt_ms, created_at_ms, updated_at_ms from notification "
        "where state = 'queued' and next_attempt_ms <= ? order by next_attempt_ms, id limit ?";
    return db.statement(kSql).all(read_notification, now_ms, limit);
}

Result<void> update_notification(Database& db, const Notification& notification) {
    static constexpr const char* kSql =
        "update notification set state = ?, outcome = ?, attempts = ?, next_attempt_ms = ?, "
        "updated_at_ms = ? where id = ?";
    Statement& update = db.statement(kSql);
    A2H_TRY(update.run(notification.state, notification.outcome, notification.attempts,
                       notification.next_attempt_ms, notification.updated_at_ms, notification.id));
    if (update.changes() == 1) return {};
    return fail(ErrorCode::NotFound, "no notification " + std::to_string(notification.id));
}

Result<std::vector<Notification>> notifications_of_approval(Database& db,
                                                            std::string_view approval_id) {
    static constexpr const char* kSql =
        "select id, agent_id, coalesce(approval_id, ''), channel, kind, body_json, state, "
        "outcome, attempts, next_attempt_ms, created_at_ms, updated_at_ms from notification "
        "where approval_id = ? order by id";
    return db.statement(kSql).all(read_notification, approval_id);
}

}  // namespace a2h::store
