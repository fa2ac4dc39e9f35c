#include "daemon/pipeline/effects.h"

#include <nlohmann/json.hpp>

#include "core/base/ids.h"
#include "core/store/approval_store.h"
#include "core/store/event_store.h"
#include "core/store/notification_store.h"
#include "core/store/outbox_store.h"
#include "core/store/task_store.h"
#include "core/wire/canonical.h"

namespace a2h::pipeline {
namespace {

constexpr std::string_view kChatMessageType = "chat.request";

Result<void> write_approval(store::Database& db, const Approval& approval) {
    A2H_TRY(store::insert_approval(db, approval));
    const nlohmann::json detail{{"action", approval.action},
                                {"digest", approval.digest},
                                {"requested_by", approval.requested_by}};
    return store::append_audit(db, approval.id, "asked", wire::canonical_json(detail),
                               approval.created_at_ms);
}

}  // namespace

Result<void> write_effects(store::Database& db, const Effects& effects) {
    if (effects.task) A2H_TRY(store::update_task(db, *effects.task));
    for (const auto& message : effects.outbox) {
        const auto id = store::insert_outbox(db, message);
        if (!id) return fail(id.error());
    }
    if (effects.approval) A2H_TRY(write_approval(db, *effects.approval));
    for (const auto& notification : effects.notifications) {
        const auto id = store::insert_notification(db, notification);
        if (!id) return fail(id.error());
    }
    for (const auto& event : effects.events) {
        const auto id = store::insert_event(db, event);
        if (!id) return fail(id.error());
    }
    return {};
}

OutboxMessage new_outbox_message(std::string_view agent_id, std::string_view target_id,
                                 std::string payload_json, std::string_view trace_id,
                                 std::string_view cause, UnixMs now_ms) {
    OutboxMessage message;
    message.agent_id = agent_id;
    message.target_id = target_id;
    message.message_id = new_message_id(now_ms);
    message.message_type = kChatMessageType;
    message.trace_id = trace_id.empty() ? new_trace_id(now_ms) : std::string(trace_id);
    message.payload_json = std::move(payload_json);
    message.cause = cause;
    message.next_attempt_ms = now_ms;
    message.expires_at_ms = now_ms + kOutboxLifetimeMs;
    message.created_at_ms = now_ms;
    message.updated_at_ms = now_ms;
    return message;
}

Event new_event(std::string_view agent_id, std::string_view kind, std::string_view subject,
                std::string detail_json, UnixMs now_ms) {
    return Event{.id = 0,
                 .agent_id = std::string(agent_id),
                 .kind = std::string(kind),
                 .subject = std::string(subject),
                 .detail_json = std::move(detail_json),
                 .created_at_ms = now_ms};
}

std::vector<Notification> new_notifications(std::string_view agent_id,
                                            std::string_view approval_id, std::string_view kind,
                                            std::string_view body_json,
                                            const std::vector<std::string>& channels,
                                            UnixMs now_ms) {
    std::vector<Notification> rows;
    for (const std::string& channel : channels) {
        Notification row;
        row.agent_id = agent_id;
        row.approval_id = approval_id;
        row.channel = channel;
        row.kind = kind;
        row.body_json = body_json;
        row.state = "queued";
        row.next_attempt_ms = now_ms;
        row.created_at_ms = now_ms;
        row.updated_at_ms = now_ms;
        rows.push_back(std::move(row));
    }
    return rows;
}

void add_approval(Effects& effects, const Approval& approval,
                  const std::vector<std::string>& channels) {
    effects.approval = approval;
    const nlohmann::json body{{"question", approval.question}, {"peer_id", approval.peer_id}};
    auto rows = new_notifications(approval.agent_id, approval.id, "approval.asked",
                                  wire::canonical_json(body), channels, approval.created_at_ms);
    effects.notifications.insert(effects.notifications.end(), rows.begin(), rows.end());
    const nlohmann::json detail{{"peer_id", approval.peer_id},
                                {"question", approval.question},
                                {"action", approval.action}};
    effects.events.push_back(new_event(approval.agent_id, "approval.asked", approval.id,
                                       wire::canonical_json(detail), approval.created_at_ms));
}

}  // namespace a2h::pipeline
