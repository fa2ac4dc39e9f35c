#include "mcp/progress.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/wire/json_member.h"
#include "mcp/framing.h"

namespace a2h::mcp {

using nlohmann::json;

Progress::Watch::Watch(Progress& progress, const json& params, const std::string& message) {
    const json& token = wire::member(wire::member(params, "_meta"), "progressToken");
    if (!token.is_string() && !token.is_number_integer()) return;
    progress_ = &progress;
    const auto now = std::chrono::steady_clock::now();
    const std::lock_guard lock(progress.mutex_);
    entry_ = progress.entries_.insert(
        progress.entries_.end(),
        {token.dump(-1, ' ', false, json::error_handler_t::replace),
         json(message).dump(-1, ' ', false, json::error_handler_t::replace), now,
         now + progress.every_});
    if (!progress.thread_.joinable()) {
        progress.thread_ =
            std::jthread([&progress](const std::stop_token& stop) { progress.run(stop); });
    }
    progress.changed_.notify_all();
}

Progress::Watch::~Watch() {
    if (progress_ == nullptr) return;
    const std::lock_guard lock(progress_->mutex_);
    progress_->entries_.erase(entry_);
}

void Progress::run(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested()) {
        if (!changed_.wait(lock, stop, [&] { return !entries_.empty(); })) return;
        const auto next =
            std::min_element(entries_.begin(), entries_.end(),
                             [](const auto& a, const auto& b) { return a.next < b.next; });
        const auto until = next->next;
        changed_.wait_until(lock, stop, until, [] { return false; });
        const auto now = std::chrono::steady_clock::now();
        for (Watch::Entry& entry : entries_) {
            if (entry.next > now) continue;
            entry.next = now + every_;
            // Milliseconds always increase, as the value must.
            const auto elapsed =
                std::chrono::duration_cast<std::chrono::milliseconds>(now - entry.begun);
            write_(request_line({}, "notifications/progress",
                                R"({"progressToken":)" + entry.token + R"(,"progress":)" +
                                    std::to_string(elapsed.count()) + R"(,"message":)" +
                                    entry.message + "}"));
        }
    }
}

}  // namespace a2h::mcp
