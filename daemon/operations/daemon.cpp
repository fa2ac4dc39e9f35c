#include <memory>
#include <nlohmann/json.hpp>

#include "core/base/time_text.h"
#include "core/store/event_store.h"
#include "core/wire/json_member.h"
#include "daemon/kernel/kernel.h"
#include "daemon/operations/operation.h"
#include "daemon/operations/registration.h"

namespace a2h::operations {
namespace {

using nlohmann::json;

struct DaemonParts {
    const kernel::Kernel& kernel;
};

constexpr int kEventsLimit = 100;
constexpr std::chrono::milliseconds kCheckForEventsEvery{100};

/// One call of `events.list` that is waiting.
struct EventWait {
    std::string action;
    std::string agent_id;
    std::int64_t after_id = 0;
    int limit = kEventsLimit;
    int checks_left = 1;
    Reply reply;
};

json event_row(const Event& event) {
    return {{"id", event.id},
            {"kind", event.kind},
            {"subject", event.subject},
            {"detail", json::parse(event.detail_json, nullptr, false)},
            {"at", to_utc_time(event.created_at_ms)}};
}

void check_for_events(const DaemonParts& parts, const std::shared_ptr<EventWait>& wait) {
    const auto events =
        store::events_after(parts.kernel.reader, wait->agent_id, wait->after_id, wait->limit);
    if (!events) {
        wait->reply(error_result(wait->action, events.error()));
        return;
    }
    if (events->empty() && --wait->checks_left > 0) {
        parts.kernel.loop.call_after(kCheckForEventsEvery,
                                     [&parts, wait] { check_for_events(parts, wait); });
        return;
    }
    const std::int64_t last_id = events->empty() ? wait->after_id : events->back().id;
    wait->reply(ok_result(wait->action,
                          {{"events", wire::array_of(*events, event_row)}, {"last_id", last_id}}));
}

void handle_events_list(const DaemonParts& parts, const Call& call, const Reply& reply) {
    auto wait = std::make_shared<EventWait>();
    wait->action = call.action;
    wait->agent_id = call.agent_id();
    wait->limit = call.number("limit", kEventsLimit);
    wait->reply = reply;
    const bool waits = call.arguments.contains("wait_seconds");
    if (call.arguments.contains("after_id")) {
        wait->after_id = call.arguments.at("after_id").get<std::int64_t>();
    } else if (waits) {
        const auto range = store::event_range(parts.kernel.reader);
        if (!range) {
            reply(error_result(call.action, range.error()));
            return;
        }
        wait->after_id = range->newest;
    }
    const std::chrono::seconds patience(call.number("wait_seconds", 0));
    wait->checks_left = 1 + static_cast<int>(patience / kCheckForEventsEvery);
    check_for_events(parts, wait);
}

void handle_daemon_stop(const DaemonParts& parts, const Call& call, const Reply& reply) {
    reply(ok_result(call.action, {{"stopping", true}}));
    // The answer must be sent before the socket is closed.
    parts.kernel.loop.call_after(std::chrono::milliseconds(50),
                                 [&loop = parts.kernel.loop] { loop.stop(); });
}

}  // namespace

void add_daemon(Table& table, const AllParts& all) {
    const DaemonParts parts{all.kernel};
    table.add("events.list", with(parts, handle_events_list));
    table.add("daemon.stop", with(parts, handle_daemon_stop));
}

}  // namespace a2h::operations
