#include "mcp/daemon_link.h"

#include <chrono>
#include <filesystem>
#include <thread>
#include <utility>

#include "core/control/home.h"

namespace a2h::mcp {
namespace {

/// A daemon that is just ending may take a connection and drop it, more than once.
constexpr int kAttemptsMax = 5;
constexpr std::chrono::milliseconds kRetryDelay{50};

}  // namespace

Result<std::shared_ptr<control::Client>> DaemonLink::connection() {
    const std::lock_guard lock(mutex_);
    if (client_ && client_->connected()) return client_;
    const auto home = control::find_home(options_.home);
    if (!home) return fail(home.error());
    std::filesystem::path program;
    if (options_.may_start) program = control::find_program("a2hd");
    auto client = control::connect_or_start(home->root, program, options_.start_timeout);
    if (!client) return fail(std::move(client).error());
    client_ = std::move(*client);
    return client_;
}

void DaemonLink::forget(const std::shared_ptr<control::Client>& client) {
    const std::lock_guard lock(mutex_);
    if (client_ == client) client_.reset();
}

Result<std::string> DaemonLink::call(std::string_view method, std::string_view params_json,
                                     bool repeatable, std::stop_token cancelled) {
    for (int attempt = 1;; ++attempt) {
        const auto client = connection();
        if (!client) return fail(client.error());
        auto result = (*client)->call(method, params_json, options_.call_timeout, cancelled);
        const bool lost = !result && result.error().code == ErrorCode::Unavailable;
        // The client may not have noticed the end of its connection yet.
        if (lost) forget(*client);
        if (!lost || !repeatable || attempt == kAttemptsMax) return result;
        std::this_thread::sleep_for(kRetryDelay * attempt);
    }
}

}  // namespace a2h::mcp
