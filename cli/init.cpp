#include "cli/init.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/pin.h"
#include "cli/rows.h"
#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/control/client.h"
#include "core/http/client.h"

namespace a2h::cli {
namespace {

constexpr std::size_t kNameCharactersMax = 64;

Failure missing(const Invocation& invocation, std::string_view option, std::string_view key) {
    return {std::string(kUsageCode),
            invocation.text("cli.missing_argument", {{"word", option}}),
            invocation.text(key),
            {}};
}

/// Reasons to stop before anything is asked or written.
std::optional<Failure> check(const Invocation& invocation) {
    const std::string name = invocation.value("--name");
    if (invocation.value("--market").empty()) {
        return missing(invocation, "--market", "cli.market_example");
    }
    if (trim(name).empty()) return missing(invocation, "--name", "cli.name_example");
    if (!is_utf8(name) || code_point_count(name) > kNameCharactersMax || printable(name) != name ||
        name.find('\n') != std::string::npos) {
        return Failure{
            std::string(kUsageCode),
            invocation.text("cli.bad_name", {{"count", std::to_string(kNameCharactersMax)}}),
            invocation.text("cli.name_example"),
            {}};
    }
    const auto agents = platform::load_agents(invocation.home.agents_dir());
    if (!agents)
        return failure(invocation.language, agents.error(),
                       invocation.text("cli.no_identity_read"));
    const auto same =
        std::find_if(agents->begin(), agents->end(),
                     [&](const platform::AgentIdentity& agent) { return agent.name == name; });
    if (same != agents->end()) {
        return Failure{"conflict",
                       invocation.text("cli.agent_exists",
                                       {{"name", name}, {"home", invocation.home.root.string()}}),
                       invocation.text("cli.agent_exists_next"),
                       {}};
    }
    return std::nullopt;
}

/// Absolute, because a2hd reads the file from another folder.
std::string absolute(const std::string& file) {
    std::error_code ignored;
    return file.empty() ? file : std::filesystem::absolute(file, ignored).string();
}

std::string advice(const Invocation& invocation, const Error& error) {
    return error.code == ErrorCode::Unavailable || error.code == ErrorCode::Timeout
               ? invocation.text("cli.market_unreachable",
                                 {{"market", invocation.value("--market")}})
               : std::string();
}

}  // namespace

Result<platform::AgentIdentity> create_identity(const control::Home& home, const NewAgent& agent,
                                                const std::optional<std::string>& pin) {
    A2H_TRY(platform::make_private_folder(home.root));
    A2H_TRY(platform::make_private_folder(home.agents_dir()));
    http::Client http({.ca_file = agent.ca_file});
    const SystemClock clock;
    platform::AgentIdentity identity;
    identity.name = agent.name;
    identity.ca_file = agent.ca_file;
    identity.account.api_base = agent.market;
    while (identity.account.api_base.ends_with('/'))
        identity.account.api_base.pop_back();
    identity.account.keys.key_pair = wire::new_key_pair();
    A2H_ASSIGN_OR_RETURN(const auto registered, platform::Client::register_agent(
                                                    http, clock, identity.account.api_base,
                                                    agent.name, identity.account.keys.key_pair));
    identity.account.agent_id = registered.agent_id;
    identity.account.keys.agent_key = registered.agent_key;
    identity.mqtt_url = registered.mqtt_url;
    if (pin) {
        A2H_TRY(
            platform::save_new_human(home.human_file(), {wire::hash_pin(*pin), wire::new_token()}));
    }
    A2H_TRY(platform::save_new_agent(home.agents_dir(), identity));
    return identity;
}

namespace {

Outcome run_init(const Invocation& invocation) {
    if (auto refused = check(invocation)) return *refused;
    std::error_code ignored;
    std::optional<std::string> pin;
    if (!std::filesystem::exists(invocation.home.human_file(), ignored)) {
        auto entered = read_new_pin(invocation);
        if (auto* refused = std::get_if<Failure>(&entered)) return *refused;
        pin = *std::get_if<std::string>(&entered);
    }
    const auto identity = create_identity(invocation.home,
                                          {invocation.value("--market"), invocation.value("--name"),
                                           absolute(invocation.value("--ca-file"))},
                                          pin);
    if (!identity) {
        return failure(invocation.language, identity.error(), invocation.text("cli.init_failed"),
                       advice(invocation, identity.error()));
    }
    const auto& account = identity->account;
    const bool running = control::Client::connect(invocation.home.socket_file()).has_value();
    return report(
        "init",
        {{"agent_id", account.agent_id},
         {"name", identity->name},
         {"key_id", account.keys.key_pair.key_id},
         {"market", account.api_base},
         {"home", invocation.home.root.string()}},
        invocation.text("cli.init_done", {{"name", identity->name},
                                          {"id", account.agent_id},
                                          {"home", invocation.home.root.string()}}) +
            "\n" +
            invocation.text(running ? "cli.init_restart" : "cli.init_next",
                            {{"up", invocation.hint("up")}, {"down", invocation.hint("down")}}));
}

}  // namespace

std::vector<Command> init_rows() {
    using enum ParameterKind;
    return {
        {"init",
         "init",
         "cli.init",
         {{"--market", Value, "cli.option_market", "URL"},
          {"--name", Value, "cli.option_name", "NAME"},
          {"--ca-file", Value, "cli.option_ca_file", "FILE"},
          kPinStdin},
         run_init},
    };
}

}  // namespace a2h::cli
