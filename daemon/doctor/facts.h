#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "daemon/config/config.h"
#include "daemon/context/agent.h"
#include "daemon/doctor/home/home_checks.h"

namespace a2h::doctor {

/// One of the owner's own agents, as the loop saw it at the start of the run.
struct AgentFacts {
    std::string id;
    std::string key_id;  ///< empty for an agent that logged in through a browser
    std::string api_base;
    std::string mqtt_url;
    std::string ca_file;
    platform::Client* market = nullptr;  ///< valid until the daemon ends
    mqtt::State connection;
    bool follows = false;  ///< another instance acts for the agent
    SelfTest self_test;
    HistoryFetches history = {};
};

/// Everything that checks need, copied so that they can run on workers while the loop continues.
struct Facts {
    HomeFacts home;
    std::vector<AgentFacts> agents;
    std::vector<std::string> channels;  ///< channels on which somebody is notified
    UnixMs now_ms = 0;
    const Clock* clock = nullptr;  ///< valid until the daemon ends
    bool full = false;             ///< include slow checks
    bool serves = false;           ///< agents are connected if possible; false in `a2hd --once`
    std::string rules_problem;
    std::string page_problem;  ///< why the page is not served; empty if it is
    std::string store_failure;
    std::string cli_version;  ///< version of `a2h`; empty if unknown
    std::string mcp_program;  ///< path of the a2h-mcp installed beside this a2hd
    /// Returns the number of addresses of a host.
    ///
    /// Errors:  NotFound, Unavailable.
    std::function<Result<std::size_t>(const std::string& host)> resolve = {};

    i18n::Language language() const { return home.language; }
};

/// The files with secrets that `config` names.
std::vector<std::filesystem::path> secret_files_of(const Config& config);

/// `say` in the language of `facts`.
inline Finding say(const Facts& facts, State state, std::string_view key,
                   i18n::Arguments arguments = {}, std::string subject = {},
                   Repair repair = Repair::None) {
    return say(facts.language(), state, key, arguments, std::move(subject), repair);
}

struct Check {
    std::string_view id;
    Findings (*run)(const Facts&);
};

/// The groups of checks, each in a file of its own. They block, each for at most ten seconds.
///
/// Thread:  any.
std::span<const Check> network_checks();
std::span<const Check> mailbox_checks();
std::span<const Check> database_checks();
std::span<const Check> setup_checks();

}  // namespace a2h::doctor
