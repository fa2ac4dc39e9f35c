#include "cli/demo/place.h"

#include <unistd.h>

#include <cstdlib>
#include <deque>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/answer_parts.h"
#include "cli/demo/asking.h"
#include "cli/init.h"
#include "core/base/loopback.h"
#include "core/base/text.h"
#include "core/control/client.h"

namespace a2h::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::chrono::seconds kStartTimeout{20};
constexpr std::string_view kMarketReady = "listening on ";

/// Debian installs it outside a user's PATH.
fs::path find_mosquitto() {
    fs::path found = control::find_program("mosquitto");
    for (const char* folder : {"/usr/sbin", "/usr/local/sbin"}) {
        const fs::path candidate = fs::path(folder) / "mosquitto";
        if (found.empty() && ::access(candidate.c_str(), X_OK) == 0) found = candidate;
    }
    return found;
}

/// The rest of the first line of `file` that begins with `begin`.
std::optional<std::string> line_after(const fs::path& file, std::string_view begin) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with(begin) && !in.eof()) return line.substr(begin.size());
    }
    return std::nullopt;
}

/// The end of a log, read before its folder is removed.
std::string last_lines(const fs::path& file) {
    constexpr std::size_t kLines = 5;
    std::ifstream in(file);
    std::deque<std::string> lines;
    for (std::string line; std::getline(in, line);) {
        lines.push_back(printable(line));
        if (lines.size() > kLines) lines.pop_front();
    }
    std::string text;
    for (const auto& line : lines)
        text += "\n    " + line;
    return text;
}

Result<void> write_file(const fs::path& file, const std::string& content) {
    std::ofstream out(file);
    out << content;
    out.close();
    if (!out) return fail(ErrorCode::Unavailable, "cannot write " + file.string());
    return {};
}

}  // namespace

Place::Place(const Invocation& invocation, Supervisor& supervisor)
    : supervisor_(supervisor), language_(invocation.language), invocation_(invocation) {
    invocation_.json = false;
    invocation_.home_given = true;
    invocation_.values.clear();
}

Place::~Place() {
    supervisor_.stop_all();
    std::error_code ignored;
    if (!folder_.empty()) fs::remove_all(folder_, ignored);
}

Invocation Place::owner_at(const std::string& name) const {
    Invocation owner = invocation_;
    owner.home.root = folder_ / name;
    return owner;
}

Result<void> Place::look_up() {
    const auto looked = wait([] { return false; }, "", std::chrono::milliseconds(1));
    return !looked && looked.error().code == ErrorCode::Timeout ? Result<void>() : looked;
}

Result<void> Place::wait(const std::function<bool()>& condition, std::string_view what,
                         std::chrono::milliseconds timeout) {
    switch (supervisor_.wait(condition, timeout)) {
        case Supervisor::Wake::Done:
            return {};
        case Supervisor::Wake::Interrupted:
            interrupted_ = true;
            return fail(ErrorCode::Unavailable, text("demo.interrupted"));
        case Supervisor::Wake::ChildEnded:
            return fail(
                ErrorCode::Unavailable,
                text("demo.child_ended", {{"program", supervisor_.ended_child()->name},
                                          {"log", last_lines(supervisor_.ended_child()->log)}}));
        case Supervisor::Wake::TimedOut:
            break;
    }
    return fail(ErrorCode::Timeout, text("demo.timed_out", {{"what", what}}));
}

Result<void> Place::open() {
    A2H_TRY(check_programs());
    std::error_code failure;
    std::string pattern = (fs::temp_directory_path(failure) / "a2h-demo-XXXXXX").string();
    if (failure || ::mkdtemp(pattern.data()) == nullptr) {
        return fail(ErrorCode::Unavailable, text("demo.no_folder"));
    }
    folder_ = pattern;
    A2H_TRY(start_market());
    return start_broker();
}

Result<void> Place::check_programs() const {
    for (const char* program : {"a2h-market", "a2hd"}) {
        if (!control::find_program(program).empty()) continue;
        return fail(ErrorCode::NotFound, text("demo.no_program", {{"program", program}}));
    }
    if (!find_mosquitto().empty()) return {};
    return fail(ErrorCode::NotFound, text("demo.no_mosquitto"));
}

Result<void> Place::start_market() {
    // mosquitto cannot choose a port itself
    A2H_ASSIGN_OR_RETURN(broker_port_, free_loopback_port());
    const fs::path log = folder_ / "market.log";
    A2H_TRY(supervisor_.start("a2h-market",
                              {control::find_program("a2h-market").string(), "--data",
                               (folder_ / "market").string(), "--listen", "127.0.0.1:0",
                               "--mqtt-url", "mqtt://127.0.0.1:" + std::to_string(broker_port_)},
                              log));
    return wait(
        [&] {
            market_url_ = line_after(log, kMarketReady).value_or("");
            return !market_url_.empty();
        },
        "a2h-market", kStartTimeout);
}

Result<void> Place::start_broker() {
    const fs::path program = find_mosquitto();
    const fs::path configuration = folder_ / "mosquitto.conf";
    A2H_TRY(
        supervisor_.run({control::find_program("a2h-market").string(), "broker-config", "--data",
                         (folder_ / "market").string(), "--port", std::to_string(broker_port_)},
                        configuration));
    A2H_TRY(supervisor_.start("mosquitto", {program.string(), "-c", configuration.string()},
                              folder_ / "mosquitto.log"));
    return wait([&] { return accepts_connections(broker_port_); }, "mosquitto", kStartTimeout);
}

Result<platform::AgentIdentity> Place::make_owner(const Invocation& owner, std::string_view name,
                                                  std::string_view settings) {
    auto identity = create_identity(
        owner.home, {.market = market_url_, .name = std::string(name), .ca_file = {}},
        std::string(kDemoPin));
    if (!identity) return identity;
    const std::string language = language_ == i18n::Language::Chinese ? "zh" : "en";
    A2H_TRY(write_file(owner.home.config_file(), "language = \"" + language +
                                                     "\"\n[web]\nlisten = \"127.0.0.1:0\"\n" +
                                                     std::string(settings)));
    return identity;
}

Result<platform::AgentIdentity> Place::add_agent(const Invocation& owner, std::string_view name) {
    return create_identity(owner.home,
                           {.market = market_url_, .name = std::string(name), .ca_file = {}},
                           std::nullopt);
}

Result<void> Place::start_daemon(const Invocation& owner, const std::string& name) {
    return supervisor_.start(
        name, {control::find_program("a2hd").string(), "--home", owner.home.root.string()},
        owner.home.root.string() + ".log");
}

Result<void> Place::wait_connected(const Invocation& owner, const std::string& name) {
    const auto connected = [&owner] {
        const json status = look(owner, "status", json::object());
        return at(at(status, "connection"), "connected") == true;
    };
    return wait(connected, name, kStartTimeout);
}

Outcome unfinished(const Invocation& invocation, const Place& place, const Error& error,
                   const json& data) {
    if (place.interrupted() && !invocation.has("--auto")) {
        return report("demo", data, "\n" + invocation.text("demo.ended"));
    }
    return Failure{std::string(to_string(error.code)),
                   invocation.text("demo.failed", {{"why", error.message}}),
                   {},
                   {}};
}

}  // namespace a2h::cli
