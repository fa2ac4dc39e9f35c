#pragma once

#include <chrono>
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

/// One of the owner's own agents, as the loop saw it when the doctor came.
struct AgentFacts {
    std::string id;
    std::string key_id;  ///< empty for who logged in through a browser
    std::string api_base;
    std::string mqtt_url;
    std::string ca_file;
    platform::Client* market = nullptr;  ///< lives until the daemon ends
    mqtt::State connection;
    bool follows = false;  ///< another instance acts for it
    SelfTest self_test;
    HistoryLooks history = {};
};

/// Everything that checks look at; a copy, so that they run on workers while the loop goes on.
struct Facts {
    HomeFacts home;
    std::vector<AgentFacts> agents;
    std::vector<std::string> channels;  ///< on which somebody is told
    UnixMs now_ms = 0;
    const Clock* clock = nullptr;  ///< lives until the daemon ends
    bool full = false;             ///< what takes long, too
    bool serves = false;           ///< agents are connected, if they can; not so in `a2hd --once`
    std::string rules_problem;
    std::string page_problem;  ///< why the page is not served; empty when it is
    std::string store_failure;
    std::string cli_version;  ///< of `a2h`; empty when it did not say
    std::string mcp_program;  ///< a2h-mcp as this a2hd's neighbour
    /// How many addresses a host has. Errors: NotFound, Unavailable.
    std::function<Result<std::size_t>(const std::string& host)> resolve = {};

    i18n::Language language() const { return home.language; }
};

/// Files with secrets that `config` names.
std::vector<std::filesystem::path> secret_files_of(const Config& config);

/// `say` in the language of `facts`.
inline Finding say(const Facts& facts, State state, std::string_view key,
                   i18n::Arguments arguments = {}, std::string subject = {},
                   Repair repair = Repair::None) {
    return say(facts.language(), state, key, arguments, std::move(subject), repair);
}

struct Check {
    std::string_view id;
    Findings (*look)(const Facts&);
};

/// Each one group, in a file of its own. Thread: any; they block, each at most `kCheckTimeMax`.
std::span<const Check> network_checks();
std::span<const Check> mailbox_checks();
std::span<const Check> database_checks();
std::span<const Check> setup_checks();

inline constexpr std::chrono::seconds kCheckTimeMax{10};

}  // namespace a2h::doctor
