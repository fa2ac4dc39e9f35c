#include "mcp/client_requests.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "mcp/request_id.h"

namespace a2h::mcp {

using nlohmann::json;

struct ClientRequests::Slot {
    std::stop_token cancelled;
    std::shared_ptr<const json> result;
};

ClientRequests::ClientRequests(Write write) : write_(std::move(write)) {}

std::optional<json> ClientRequests::ask(std::string_view method, std::string_view params_json,
                                        const Wait& wait) {
    Slot slot{wait.cancelled, nullptr};
    std::string id;
    {
        const std::lock_guard lock(mutex_);
        if (ended_) return json::object();
        if (open_.size() >= kOpenMax) return std::nullopt;
        id = "\"a2h-" + std::to_string(++number_) + "\"";
        open_.emplace(id_key(id), &slot);
    }
    write_(request_line(id, method, params_json));
    std::unique_lock lock(mutex_);
    const bool answered = wait_for_answer(slot, wait, lock);
    open_.erase(id_key(id));
    lock.unlock();
    if (answered) return *slot.result;
    write_(request_line({}, "notifications/cancelled", R"({"requestId":)" + id + "}"));
    return json::object();
}

bool ClientRequests::wait_for_answer(const Slot& slot, const Wait& wait,
                                     std::unique_lock<std::mutex>& lock) {
    using Clock = std::chrono::steady_clock;
    const auto until = Clock::now() + wait.timeout;
    const auto is_answered = [&slot] { return slot.result != nullptr; };
    const auto is_ended = [&] { return is_answered() || ended_; };
    while (true) {
        const auto look_at = wait.is_over ? std::min(until, Clock::now() + wait.look_every) : until;
        if (changed_.wait_until(lock, wait.cancelled, look_at, is_ended)) return is_answered();
        if (wait.cancelled.stop_requested() || Clock::now() >= until) return false;
        lock.unlock();
        const bool is_over = wait.is_over();
        lock.lock();
        // An answer that came during the check still counts.
        if (is_over) return is_answered();
    }
}

void ClientRequests::end() {
    {
        const std::lock_guard lock(mutex_);
        ended_ = true;
    }
    changed_.notify_all();
}

void ClientRequests::take_response(const Message& message) {
    const std::lock_guard lock(mutex_);
    const auto found = open_.find(id_key(message.id));
    if (found == open_.end()) return;
    Slot& slot = *found->second;
    if (slot.result != nullptr || slot.cancelled.stop_requested()) return;
    slot.result = message.params;
    changed_.notify_all();
}

}  // namespace a2h::mcp
