#pragma once

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/support/daemon.h"
#include "tests/support/market.h"
#include "tests/support/temp_dir.h"

namespace a2h::test {

inline nlohmann::json brief(const std::string& objective) {
    return {{"objective", objective},
            {"constraints", {"by Friday"}},
            {"inputs", "a list of shops"},
            {"outputs", "a table"},
            {"completion_criteria", "three prices"}};
}

/// One operation as an assistant of `agent_id` calls it.
inline nlohmann::json call_as(Daemon& daemon, const std::string& agent_id, std::string_view action,
                              nlohmann::json arguments = nlohmann::json::object()) {
    arguments["agent"] = agent_id;
    return daemon.call_assistant(action, arguments.dump());
}

inline nlohmann::json data_as(Daemon& daemon, const std::string& agent_id, std::string_view action,
                              nlohmann::json arguments = nlohmann::json::object()) {
    const nlohmann::json result = call_as(daemon, agent_id, action, std::move(arguments));
    return result.value("data", nlohmann::json::object());
}

/// Two owners with a real a2hd each, at one real market with its broker.
struct TwoHomes {
    TempDir dir;
    Market market{dir.path() / "market"};
    platform::Account here_account = market.register_agent("here");
    platform::Account there_account = market.register_agent("there");
    Daemon here{dir.path() / "here", {here_account}, market.mqtt_url()};
    Daemon there{dir.path() / "there", {there_account}, market.mqtt_url()};

    TwoHomes() {
        REQUIRE(here.connected());
        REQUIRE(there.connected());
    }
    const std::string& here_id() const { return here_account.agent_id; }
    const std::string& there_id() const { return there_account.agent_id; }

    /// The only open question of a home; waits for it.
    static nlohmann::json asked(Daemon& daemon) {
        nlohmann::json open;
        REQUIRE(eventually([&] {
            open =
                daemon.call_human("approval.list", R"({"status":"pending"})")["data"]["approvals"];
            return open.size() == 1;
        }));
        return open[0];
    }
    /// The human's yes.
    static nlohmann::json approve(Daemon& daemon, const std::string& id,
                                  const std::string& agent = "") {
        nlohmann::json arguments{
            {"approval_id", id}, {"decision", "approve"}, {"pin", Daemon::kPin}};
        if (!agent.empty()) arguments["agent"] = agent;
        return daemon.call_human("approval.answer", arguments.dump());
    }
};

}  // namespace a2h::test
