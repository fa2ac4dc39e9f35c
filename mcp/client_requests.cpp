#include "mcp/client_requests.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "mcp/request_id.h"

namespace a2h::mcp {

using nlohmann::json;

struct ClientRequests::Slot {
    std::stop_token cancelled;
    std::shared_ptr<const json> result;
};

ClientRequests::ClientRequests(Write write) : write_(std::move(write)) {}

std::optional<json> ClientRequests::ask(std::string_view method, std::string_view params_json,
                                        std::chrono::milliseconds timeout,
                                        std::stop_token cancelled) {
    Slot slot{cancelled, nullptr};
    std::string id;
    {
        const std::lock_guard lock(mutex_);
        if (open_.size() >= kOpenMax) return std::nullopt;
        id = "\"a2h-" + std::to_string(++number_) + "\"";
        open_.emplace(id_key(id), &slot);
    }
    write_(request_line(id, method, params_json));
    std::unique_lock lock(mutex_);
    const bool answered = changed_.wait_for(lock, std::move(cancelled), timeout,
                                            [&] { return slot.result != nullptr; });
    open_.erase(id_key(id));
    lock.unlock();
    if (answered) return *slot.result;
    write_(request_line({}, "notifications/cancelled", R"({"requestId":)" + id + "}"));
    return json::object();
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
