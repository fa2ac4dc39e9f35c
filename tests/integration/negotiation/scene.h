#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/control/client.h"
#include "core/control/home.h"
#include "tests/integration/negotiation/puppet.h"
#include "tests/support/daemon.h"
#include "tests/support/market.h"
#include "tests/support/temp_dir.h"

namespace a2h::test {

/// A requester with a real a2hd, and scripted agents of other owners.
struct Round {
    TempDir dir;
    Market market{dir.path() / "market"};
    platform::Account requester = market.register_agent("requester");
    Daemon daemon;
    std::vector<std::unique_ptr<Puppet>> puppets;

    /// `config` of the requester; empty: as every test's.
    explicit Round(const std::string& config = {})
        : daemon(dir.path() / "home", {requester}, market.mqtt_url(),
                 {.config = config, .environment = {}, .people = {}}) {
        REQUIRE(daemon.connected());
    }

    Puppet& add(const std::string& name, Puppet::Script script = {}) {
        return *puppets.emplace_back(std::make_unique<Puppet>(market, name, std::move(script)));
    }
    void pump(std::chrono::milliseconds time = std::chrono::milliseconds(10)) {
        for (auto& puppet : puppets)
            puppet->pump(time / static_cast<int>(puppets.size()) + std::chrono::milliseconds(1));
    }
    std::vector<std::string> ids() const {
        std::vector<std::string> all;
        for (const auto& puppet : puppets)
            all.push_back(puppet->agent_id());
        return all;
    }

    /// Invites all puppets; returns the demand's id.
    std::string submit(nlohmann::json more = nlohmann::json::object()) {
        nlohmann::json arguments{{"raw_input", "We need a room and a speaker in Berlin"},
                                 {"invite", ids()}};
        arguments.update(more);
        const auto result = daemon.call_owner("demand.submit", arguments.dump());
        CAPTURE(result.dump());
        REQUIRE(result["ok"] == true);
        return result["data"]["demand_id"];
    }
    nlohmann::json view(const std::string& demand_id) {
        return daemon.call_human("negotiation.get",
                                 nlohmann::json{{"demand_id", demand_id}}.dump())["data"];
    }
    bool until(const std::string& demand_id, std::string_view state,
               std::chrono::seconds timeout = std::chrono::seconds(60)) {
        return eventually(
            [&] {
                pump();
                return view(demand_id).value("state", "") == state;
            },
            timeout);
    }
    /// A second a2hd on the home of the first, which was stopped; it ends at this pass of a fault
    /// point.
    std::unique_ptr<Process> start_doomed(const std::string& fault) {
        return std::make_unique<Process>(
            Process::Options{.argv = {A2H_BIN_DIR "/a2hd", "--home", daemon.home().string()},
                             .environment = {{"A2H_FAULT_POINT", fault}},
                             .stdout_file = dir.path() / "a2hd.out",
                             .stderr_file = dir.path() / "a2hd.log",
                             .pipe_stdin = false});
    }
    /// Calls it; the answer may never come, because a2hd is killed by the call.
    void call_doomed(std::string_view action, nlohmann::json arguments) {
        std::unique_ptr<control::Client> client;
        REQUIRE(eventually([&] {
            auto connected = control::Client::connect(control::Home{daemon.home()}.socket_file());
            if (connected) client = std::move(*connected);
            return client != nullptr;
        }));
        arguments["face"] = "human";
        arguments["proof"] = {{"pin", Daemon::kPin}};
        static_cast<void>(client->call(action, arguments.dump(), std::chrono::seconds(10)));
    }
    bool until_told(std::chrono::seconds timeout = std::chrono::seconds(30)) {
        return eventually(
            [&] {
                pump();
                for (const auto& puppet : puppets) {
                    if (puppet->endings().empty()) return false;
                }
                return true;
            },
            timeout);
    }
};

}  // namespace a2h::test
