#include "mcp/daemon_link.h"

#include <filesystem>
#include <thread>
#include <utility>

#include "core/control/home.h"

namespace a2h::mcp {
namespace {

constexpr std::chrono::milliseconds kConnectAgainDelay{50};

}  // namespace

Result<DaemonLink::Client> DaemonLink::connect(bool patient) {
    const std::lock_guard lock(mutex_);
    if (client_ && client_->connected()) return client_;
    A2H_ASSIGN_OR_RETURN(const auto home, control::find_home(options_.home));
    std::filesystem::path program;
    if (options_.may_start && patient) program = control::find_program("a2hd");
    A2H_ASSIGN_OR_RETURN(auto client,
                         control::connect_or_start(home.root, program, options_.start_timeout));
    client_ = std::move(client);
    was_there_ = true;
    auto watch = control::ChangeWatch::open(home.changes_file());
    watch_ = watch ? std::move(*watch) : nullptr;
    return client_;
}

Result<DaemonLink::Client> DaemonLink::connection(bool patient,
                                                  std::chrono::steady_clock::time_point deadline,
                                                  const std::stop_token& cancelled) {
    while (true) {
        auto client = connect(patient);
        if (client || client.error().code != ErrorCode::Unavailable) return client;
        if (!patient || cancelled.stop_requested()) return client;
        // The call that started a daemon has already waited for it.
        if (options_.may_start && !control::find_program("a2hd").empty()) return client;
        {
            const std::lock_guard lock(mutex_);
            if (!was_there_) return client;
            if (std::chrono::steady_clock::now() >= deadline) {
                was_there_ = false;  // the next call fails at once
                return client;
            }
        }
        std::this_thread::sleep_for(kConnectAgainDelay);
    }
}

void DaemonLink::forget(const Client& client) {
    const std::lock_guard lock(mutex_);
    if (client_ == client) client_.reset();
}

std::optional<std::uint64_t> DaemonLink::change_count() {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock || !client_ || !watch_ || !client_->connected()) return std::nullopt;
    return watch_->count();
}

Result<std::string> DaemonLink::call(const DaemonCall& call, std::stop_token cancelled) {
    const auto deadline = std::chrono::steady_clock::now() + options_.restart_timeout;
    while (true) {
        A2H_ASSIGN_OR_RETURN(const auto client, connection(call.patient, deadline, cancelled));
        auto result = client->call(call.method, call.params_json, options_.call_timeout, cancelled);
        const bool lost = !result && result.error().code == ErrorCode::Unavailable;
        // The client may not have noticed the end of its connection yet.
        if (lost) forget(client);
        const bool late = std::chrono::steady_clock::now() >= deadline;
        if (!lost || !call.repeatable || !call.patient || late) return result;
        // A daemon that is stopping may accept a connection and drop it, more than once.
        std::this_thread::sleep_for(kConnectAgainDelay);
    }
}

}  // namespace a2h::mcp
