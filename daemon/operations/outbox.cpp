#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/base/time_text.h"
#include "core/store/outbox_store.h"
#include "core/wire/payload.h"
#include "daemon/operations/operation.h"
#include "daemon/pipeline/effects.h"

namespace a2h::operations {
namespace {

using nlohmann::json;

constexpr int kOutboxListed = 100;

json outbox_json(const OutboxMessage& message) {
    return {{"id", message.id},
            {"target_id", message.target_id},
            {"message_id", message.message_id},
            {"text", preview(wire::view_payload(message.payload_json).text)},
            {"state", to_string(message.state)},
            {"attempts", message.attempts},
            {"last_error", message.last_error},
            {"created_at", to_utc_time(message.created_at_ms)},
            {"expires_at", to_utc_time(message.expires_at_ms)}};
}

void change(Runtime& runtime, const Call& call, const Reply& reply, store::Writer::Work work,
            std::string_view new_state) {
    runtime.context.write(store::Writer::Priority::Urgent, std::move(work),
                          [&runtime, action = call.action, id = call.number("id", 0), reply,
                           new_state](const Result<void>& written) {
                              if (!written) {
                                  reply(error_result(action, written.error()));
                                  return;
                              }
                              runtime.on_effects();
                              reply(ok_result(action, {{"id", id}, {"state", new_state}}));
                          });
}

}  // namespace

void handle_outbox_list(Runtime& runtime, const Call& call, const Reply& reply) {
    const auto list = store::list_outbox(runtime.context.reader, call.agent_id(),
                                         parse_outbox_state(call.text("state")), kOutboxListed);
    if (!list) {
        reply(error_result(call.action, list.error()));
        return;
    }
    json items = json::array();
    for (const auto& message : *list)
        items.push_back(outbox_json(message));
    reply(ok_result(call.action, {{"items", std::move(items)}}));
}

void handle_outbox_requeue(Runtime& runtime, const Call& call, const Reply& reply) {
    const UnixMs now_ms = runtime.context.clock.now_ms();
    change(
        runtime, call, reply,
        [id = call.number("id", 0), now_ms](store::Database& db) {
            return store::requeue_outbox(db, id, now_ms, now_ms + pipeline::kOutboxLifetimeMs);
        },
        to_string(OutboxState::Queued));
}

void handle_outbox_drop(Runtime& runtime, const Call& call, const Reply& reply) {
    const UnixMs now_ms = runtime.context.clock.now_ms();
    change(
        runtime, call, reply,
        [id = call.number("id", 0), now_ms](store::Database& db) {
            return store::drop_outbox(db, id, now_ms);
        },
        to_string(OutboxState::Dropped));
}

}  // namespace a2h::operations
