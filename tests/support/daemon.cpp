#include "tests/support/daemon.h"

#include <fstream>
#include <sstream>

#include <sodium.h>
#include <nlohmann/json.hpp>

#include "core/base/check.h"
#include "core/control/home.h"

namespace a2h::test {
namespace {

using nlohmann::json;
using std::chrono::seconds;

constexpr std::string_view kQuietConfig =
    "language = \"en\"\n[web]\nlisten = \"127.0.0.1:0\"\n[notify]\nchannels = []\n";

/// Like `wire::hash_pin`, at the lowest cost, because a run of the suite checks thousands of PINs.
std::string cheap_hash(std::string_view pin) {
    std::string hash(crypto_pwhash_STRBYTES, '\0');
    A2H_CHECK(::sodium_init() >= 0);
    A2H_CHECK(::crypto_pwhash_str(hash.data(), pin.data(), pin.size(), crypto_pwhash_OPSLIMIT_MIN,
                                  crypto_pwhash_MEMLIMIT_MIN) == 0);
    return hash.c_str();
}

void write_home(const std::filesystem::path& root, const std::vector<platform::Account>& accounts,
                const std::string& mqtt_url, std::string_view config,
                const std::vector<std::string>& people) {
    const control::Home home{root};
    A2H_CHECK(platform::make_private_folder(home.root).has_value());
    A2H_CHECK(platform::make_private_folder(home.agents_dir()).has_value());
    for (const auto& account : accounts) {
        platform::AgentIdentity identity;
        identity.name = account.agent_id;
        identity.account = account;
        identity.mqtt_url = mqtt_url;
        A2H_CHECK(platform::save_new_agent(home.agents_dir(), identity).has_value());
    }
    platform::HumanIdentity human{cheap_hash(Daemon::kPin), std::string(Daemon::kLinkKey)};
    for (const std::string& person : people)
        human.people[person] = cheap_hash(Daemon::pin_of(person));
    A2H_CHECK(platform::save_new_human(home.human_file(), human).has_value());
    std::ofstream(home.config_file()) << config;
}

}  // namespace

Daemon::Daemon(std::filesystem::path home, const std::vector<platform::Account>& accounts,
               const std::string& mqtt_url, Options options)
    : home_(std::move(home)), environment_(std::move(options.environment)) {
    for (const auto& account : accounts)
        agent_ids_.push_back(account.agent_id);
    write_home(home_, accounts, mqtt_url,
               options.config.empty() ? kQuietConfig : std::string_view(options.config),
               options.people);
    start();
}

void Daemon::start() {
    process_ = std::make_unique<Process>(
        Process::Options{.argv = {A2H_BIN_DIR "/a2hd", "--home", home_.string()},
                         .environment = environment_,
                         .stdout_file = home_ / "a2hd.out",
                         .stderr_file = home_ / "a2hd.log",
                         .pipe_stdin = false});
    A2H_CHECK(eventually(
        [this] {
            auto client = control::Client::connect(control::Home{home_}.socket_file());
            if (!client) return false;
            client_ = std::move(*client);
            return true;
        },
        kStartTimeMax));
}

void Daemon::kill() {
    process_->kill();
    client_.reset();
}

void Daemon::stop() {
    client_.reset();
    A2H_CHECK(process_->stop(seconds(10)).has_value());
}

json Daemon::call(std::string_view face, std::string_view action, std::string_view arguments_json) {
    json params = json::parse(arguments_json);
    params["face"] = face;
    const auto result = client_->call(action, params.dump(), kSlowdown * seconds(10));
    if (!result) return json{{"ok", false}, {"transport", result.error().message}};
    return json::parse(*result);
}

json Daemon::call_human(std::string_view action, std::string_view arguments_json) {
    return call("human", action, arguments_json);
}

json Daemon::call_owner(std::string_view action, std::string_view arguments_json) {
    json params = json::parse(arguments_json);
    params["proof"] = {{"pin", kPin}};
    return call("human", action, params.dump());
}

json Daemon::call_assistant(std::string_view action, std::string_view arguments_json) {
    return call("assistant", action, arguments_json);
}

Ran Daemon::a2h(std::vector<std::string> arguments, std::string_view input,
                const std::string& language) const {
    arguments.insert(arguments.begin(), A2H_BIN_DIR "/a2h");
    return run(std::move(arguments), {{"A2H_HOME", home_.string()}, {"LC_ALL", language}}, input,
               std::chrono::seconds(60));
}

json Daemon::status(std::string_view agent_id) {
    const json arguments =
        agent_id.empty() ? json::object() : json{{"agent", std::string(agent_id)}};
    return call_human("status", arguments.dump()).value("data", json::object());
}

bool Daemon::connected() {
    return eventually([this] {
        for (const auto& agent : status().value("agents", json::array())) {
            if (!agent.value("connected", false)) return false;
        }
        return true;
    });
}

std::string Daemon::log() const {
    std::ifstream in(home_ / "a2hd.log");
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

}  // namespace a2h::test
