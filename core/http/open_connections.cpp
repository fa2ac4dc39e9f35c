#include "core/http/open_connections.h"

#include <vector>

namespace a2h::http {

bool OpenConnections::enter(const std::shared_ptr<OpenConnection>& connection) {
    return state_.with([&](State& state) {
        if (state.stopping || state.open.size() >= max_) return false;
        return state.open.emplace(connection.get(), connection).second;
    });
}

void OpenConnections::leave(const OpenConnection& connection) {
    const bool was_last = state_.with(
        [&](State& state) { return state.open.erase(&connection) == 1 && state.is_over(); });
    if (was_last) gone_.set_value();
}

void OpenConnections::stop() {
    std::vector<std::shared_ptr<OpenConnection>> running;
    const bool none = state_.with([&running](State& state) {
        state.stopping = true;
        for (const auto& [_, connection] : state.open) {
            if (auto shared = connection.lock()) running.push_back(std::move(shared));
        }
        return state.is_over();
    });
    if (none) gone_.set_value();
    for (const auto& connection : running)
        connection->stop();
}

void OpenConnections::wait_until_gone(std::chrono::milliseconds patience) {
    gone_.get_future().wait_for(patience);
}

}  // namespace a2h::http
