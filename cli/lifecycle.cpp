#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "cli/daemon_call.h"
#include "cli/rows.h"
#include "cli/waiting.h"
#include "core/platform/identity.h"

namespace a2h::cli {
namespace {

using nlohmann::json;
using std::chrono::steady_clock;

constexpr std::chrono::seconds kStartTimeout{15};
constexpr std::chrono::seconds kStopTimeout{20};
constexpr std::chrono::milliseconds kStopPoll{20};
constexpr std::chrono::seconds kStopAnswerWait{1};

bool is_running(const Invocation& invocation) {
    return control::Client::connect(invocation.home.socket_file()).has_value();
}

/// Asked on its own connection, because a socket unit keeps listening after a2hd has ended, and a
/// new connection would start the next one.
bool has_ended(control::Client& client) {
    const auto answer = client.call("status", "{}", kStopAnswerWait);
    return !answer && answer.error().code == ErrorCode::Unavailable;
}

/// The lock of the home is released last, after the socket; before that no other a2hd can start.
bool has_left(const control::Home& home) {
    const int lock = ::open(home.lock_file().c_str(), O_RDONLY | O_CLOEXEC);
    if (lock < 0) return true;
    const bool is_free = ::flock(lock, LOCK_SH | LOCK_NB) == 0;
    ::close(lock);
    return is_free;
}

Report up_report(const Invocation& invocation, bool started) {
    return report("up",
                  {{"started", started},
                   {"home", invocation.home.root.string()},
                   {"log", invocation.home.log_file().string()}},
                  invocation.text(started ? "cli.started" : "cli.runs_already",
                                  {{"status", invocation.hint("status")}}));
}

std::string render_stopping(const Invocation& invocation, const json&) {
    return invocation.text("cli.stopped");
}

Outcome run_up(const Invocation& invocation) {
    if (is_running(invocation)) return up_report(invocation, false);
    const auto agents = platform::load_agents(invocation.home.agents_dir());
    if (!agents)
        return failure(invocation.language, agents.error(),
                       invocation.text("cli.no_identity_read"));
    if (agents->empty()) {
        return Failure{
            "not_found",
            invocation.text("cli.no_identity", {{"home", invocation.home.root.string()}}),
            invocation.text("cli.no_identity_next",
                            {{"command", invocation.hint("init --market URL --name NAME")}}),
            {}};
    }
    const auto client = [&] {
        const Waiting waiting(invocation, "progress.start");
        return control::connect_or_start(invocation.home.root, control::find_program("a2hd"),
                                         kStartTimeout);
    }();
    if (!client) {
        return failure(
            invocation.language, client.error(), invocation.text("cli.not_started"),
            invocation.text("cli.read_log", {{"log", invocation.home.log_file().string()}}));
    }
    return up_report(invocation, true);
}

Outcome run_down(const Invocation& invocation) {
    if (!is_running(invocation)) {
        return report("daemon.stop", {{"stopping", false}}, invocation.text("cli.did_not_run"));
    }
    auto connected = connect(invocation);
    if (auto* refused = std::get_if<Failure>(&connected)) return *refused;
    control::Client& client = **std::get_if<0>(&connected);
    Outcome outcome = call(client, invocation, "daemon.stop", json::object(), render_stopping);
    if (std::holds_alternative<Failure>(outcome)) return outcome;
    const auto deadline = steady_clock::now() + kStopTimeout;
    while (!has_ended(client) || !has_left(invocation.home)) {
        if (steady_clock::now() >= deadline) {
            return Failure{
                "timeout",
                invocation.text("cli.not_stopped"),
                invocation.text("cli.read_log", {{"log", invocation.home.log_file().string()}}),
                {}};
        }
        std::this_thread::sleep_for(kStopPoll);
    }
    return outcome;
}

}  // namespace

std::vector<Command> lifecycle_rows() {
    return {
        {"up", "up", "cli.up", {}, run_up},
        {"down", "daemon.stop", "cli.down", {}, run_down},
    };
}

}  // namespace a2h::cli
