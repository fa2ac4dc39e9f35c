#include <memory>
#include <nlohmann/json.hpp>

#include "core/base/time_text.h"
#include "core/store/event_store.h"
#include "daemon/operations/operation.h"

namespace a2h::operations {
namespace {

using nlohmann::json;

constexpr int kEventsLimit = 100;
constexpr std::chrono::milliseconds kLookForEventsEvery{100};

/// One `events.list` until it is answered.
struct EventWait {
    std::string action;
    std::string agent_id;
    std::int64_t after_id = 0;
    int limit = kEventsLimit;
    int looks_left = 1;
    Reply reply;
};

json event_row(const Event& event) {
    return {{"id", event.id},
            {"kind", event.kind},
            {"subject", event.subject},
            {"detail", json::parse(event.detail_json, nullptr, false)},
            {"at", to_utc_time(event.created_at_ms)}};
}

void look_for_events(Runtime& runtime, const std::shared_ptr<EventWait>& wait) {
    const auto events =
        store::events_after(runtime.context.reader, wait->agent_id, wait->after_id, wait->limit);
    if (!events) {
        wait->reply(error_result(wait->action, events.error()));
        return;
    }
    if (events->empty() && --wait->looks_left > 0) {
        runtime.context.loop.call_after(kLookForEventsEvery,
                                        [&runtime, wait] { look_for_events(runtime, wait); });
        return;
    }
    json list = json::array();
    for (const Event& event : *events)
        list.push_back(event_row(event));
    const std::int64_t last_id = events->empty() ? wait->after_id : events->back().id;
    wait->reply(ok_result(wait->action, {{"events", std::move(list)}, {"last_id", last_id}}));
}

}  // namespace

void handle_events_list(Runtime& runtime, const Call& call, const Reply& reply) {
    auto wait = std::make_shared<EventWait>();
    wait->action = call.action;
    wait->agent_id = call.agent_id();
    wait->limit = call.number("limit", kEventsLimit);
    wait->reply = reply;
    const bool waits = call.arguments.contains("wait_seconds");
    if (call.arguments.contains("after_id")) {
        wait->after_id = call.arguments.at("after_id").get<std::int64_t>();
    } else if (waits) {
        const auto range = store::event_range(runtime.context.reader);
        if (!range) {
            reply(error_result(call.action, range.error()));
            return;
        }
        wait->after_id = range->newest;
    }
    const std::chrono::seconds patience(call.number("wait_seconds", 0));
    wait->looks_left = 1 + static_cast<int>(patience / kLookForEventsEvery);
    look_for_events(runtime, wait);
}

void handle_daemon_stop(Runtime& runtime, const Call& call, const Reply& reply) {
    reply(ok_result(call.action, {{"stopping", true}}));
    // The answer must leave before the socket goes.
    runtime.context.loop.call_after(std::chrono::milliseconds(50), runtime.stop);
}

}  // namespace a2h::operations
