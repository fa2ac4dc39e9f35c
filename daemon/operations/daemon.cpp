#include <nlohmann/json.hpp>

#include "core/base/time_text.h"
#include "core/store/event_store.h"
#include "daemon/operations/operation.h"

namespace a2h::operations {
namespace {

using nlohmann::json;

constexpr int kEventsLimit = 100;

}  // namespace

void handle_events_list(Runtime& runtime, const Call& call, const Reply& reply) {
    const auto events =
        store::events_after(runtime.context.reader, call.agent_id(), call.number("after_id", 0),
                            call.number("limit", kEventsLimit));
    if (!events) {
        reply(error_result(call.action, events.error()));
        return;
    }
    json list = json::array();
    std::int64_t last_id = call.number("after_id", 0);
    for (const Event& event : *events) {
        last_id = event.id;
        list.push_back({{"id", event.id},
                        {"kind", event.kind},
                        {"subject", event.subject},
                        {"detail", json::parse(event.detail_json, nullptr, false)},
                        {"at", to_utc_time(event.created_at_ms)}});
    }
    reply(ok_result(call.action, {{"events", std::move(list)}, {"last_id", last_id}}));
}

void handle_daemon_stop(Runtime& runtime, const Call& call, const Reply& reply) {
    reply(ok_result(call.action, {{"stopping", true}}));
    // The answer must leave before the socket goes.
    runtime.context.loop.call_after(std::chrono::milliseconds(50), runtime.stop);
}

}  // namespace a2h::operations
