#include <algorithm>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>

#include "core/base/log_ring.h"
#include "core/base/time_text.h"
#include "daemon/kernel/kernel.h"
#include "daemon/operations/operation.h"
#include "daemon/operations/registration.h"

namespace a2h::operations {
namespace {

using nlohmann::json;

struct LogsParts {
    const kernel::Kernel& kernel;
    const log::Ring& log_ring;
};

constexpr int kLinesDefault = 100;
constexpr std::chrono::milliseconds kCheckForLinesEvery{100};

/// One call of `logs` that is waiting.
struct LogWait {
    std::string action;
    std::int64_t after = 0;
    log::Level level = log::Level::Info;
    std::size_t count = 0;
    int checks_left = 1;
    Reply reply;
};

json line_json(const log::Ring::Kept& line) {
    return {{"number", line.number},
            {"at", to_utc_time(line.at_ms)},
            {"level", log::to_string(line.level)},
            {"text", line.text}};
}

void check_for_lines(const LogsParts& parts, const std::shared_ptr<LogWait>& wait) {
    const auto reading = parts.log_ring.read(wait->after, wait->level, wait->count);
    if (reading.events.empty() && --wait->checks_left > 0) {
        wait->after = reading.last;
        parts.kernel.loop.call_after(kCheckForLinesEvery,
                                     [&parts, wait] { check_for_lines(parts, wait); });
        return;
    }
    json lines = json::array();
    for (const auto& line : reading.events)
        lines.push_back(line_json(line));
    wait->reply(ok_result(wait->action, {{"lines", std::move(lines)}, {"last", reading.last}}));
}

void handle_logs(const LogsParts& parts, const Call& call, const Reply& reply) {
    auto wait = std::make_shared<LogWait>();
    wait->action = call.action;
    if (call.arguments.contains("after"))
        wait->after = call.arguments.at("after").get<std::int64_t>();
    wait->level = log::parse_level(call.text("level")).value_or(log::Level::Debug);
    wait->count = static_cast<std::size_t>(call.number("limit", kLinesDefault));
    const std::chrono::seconds patience(call.number("wait_seconds", 0));
    wait->checks_left = 1 + static_cast<int>(patience / kCheckForLinesEvery);
    wait->reply = reply;
    check_for_lines(parts, wait);
}

}  // namespace

void add_logs(Table& table, const AllParts& all) {
    const LogsParts parts{all.kernel, all.log_ring};
    table.add("logs", with(parts, handle_logs));
}

}  // namespace a2h::operations
