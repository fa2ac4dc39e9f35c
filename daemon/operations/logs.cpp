#include <algorithm>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>

#include "core/base/log_ring.h"
#include "core/base/time_text.h"
#include "daemon/operations/operation.h"

namespace a2h::operations {
namespace {

using nlohmann::json;

constexpr int kLinesDefault = 100;
constexpr std::chrono::milliseconds kLookForLinesEvery{100};

/// One `logs` until it is answered.
struct LogWait {
    std::string action;
    std::int64_t after = 0;
    log::Level level = log::Level::Info;
    std::size_t count = 0;
    int looks_left = 1;
    Reply reply;
};

json line_json(const log::Ring::Kept& line) {
    return {{"number", line.number},
            {"at", to_utc_time(line.at_ms)},
            {"level", log::to_string(line.level)},
            {"text", line.text}};
}

void look_for_lines(Runtime& runtime, const std::shared_ptr<LogWait>& wait) {
    const auto reading = runtime.log_ring.read(wait->after, wait->level, wait->count);
    if (reading.events.empty() && --wait->looks_left > 0) {
        wait->after = reading.last;
        runtime.context.loop.call_after(kLookForLinesEvery,
                                        [&runtime, wait] { look_for_lines(runtime, wait); });
        return;
    }
    json lines = json::array();
    for (const auto& line : reading.events)
        lines.push_back(line_json(line));
    wait->reply(ok_result(wait->action, {{"lines", std::move(lines)}, {"last", reading.last}}));
}

}  // namespace

void handle_logs(Runtime& runtime, const Call& call, const Reply& reply) {
    auto wait = std::make_shared<LogWait>();
    wait->action = call.action;
    if (call.arguments.contains("after"))
        wait->after = call.arguments.at("after").get<std::int64_t>();
    wait->level = log::parse_level(call.text("level")).value_or(log::Level::Debug);
    wait->count = static_cast<std::size_t>(call.number("limit", kLinesDefault));
    const std::chrono::seconds patience(call.number("wait_seconds", 0));
    wait->looks_left = 1 + static_cast<int>(patience / kLookForLinesEvery);
    wait->reply = reply;
    look_for_lines(runtime, wait);
}

}  // namespace a2h::operations
