#include <doctest/doctest.h>

#include <sys/stat.h>

#include <fstream>
#include <sstream>
#include <string>

#include <nlohmann/json.hpp>

#include "core/wire/crypto.h"
#include "tests/support/daemon.h"
#include "tests/support/temp_dir.h"

using a2h::test::Daemon;
using nlohmann::json;

namespace {

constexpr const char* kKey = "sk-integration-secret";

/// A home without market and broker, with a model behind a port on which nothing listens.
struct Home {
    explicit Home(mode_t key_mode = 0600) {
        std::ofstream(key_file()) << kKey << "\n";
        REQUIRE(::chmod(key_file().c_str(), key_mode) == 0);
    }

    std::string key_file() const { return (dir.path() / "model.key").string(); }
    std::string config(const std::string& more = {}) const {
        return "[web]\nlisten = \"127.0.0.1:0\"\n[notify]\nchannels = []\n[model]\n"
               "api = \"messages\"\nmodel = \"some-model\"\nurl = \"http://127.0.0.1:" +
               nowhere + "/\"\n" + more;
    }
    a2h::platform::Account account() const {
        a2h::platform::Account account;
        account.api_base = "http://127.0.0.1:" + nowhere;
        account.agent_id = "ag_lin";
        account.keys = {"test-key-0001", a2h::wire::new_key_pair()};
        return account;
    }
    std::string mqtt_url() const { return "mqtt://127.0.0.1:" + nowhere; }

    a2h::test::TempDir dir;
    const std::string nowhere = std::to_string(a2h::test::free_port());
};

std::string everything_below(const std::filesystem::path& folder) {
    std::ostringstream all;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.is_regular_file()) all << std::ifstream(entry.path()).rdbuf();
    }
    return all.str();
}

}  // namespace

TEST_CASE("status shows the model, and the key is only in its file") {
    const Home home;
    Daemon daemon(home.dir.path() / "home", {home.account()}, home.mqtt_url(),
                  {.config = home.config("key_file = \"" + home.key_file() +
                                         "\"\ninput_price_minor_per_million = 300\n"
                                         "budget_minor_per_day = 50\n")});
    const json status = daemon.status();
    REQUIRE(status.at("model").is_object());
    CHECK(status.at("model").at("name") == "some-model");
    CHECK(status.at("model").at("state") == "ready");
    CHECK(status.at("model").at("spent_minor") == 0);
    CHECK(status.at("model").at("budget_minor") == 50);
    CHECK(status.dump().find(kKey) == std::string::npos);
    daemon.stop();
    CHECK(everything_below(daemon.home()).find(kKey) == std::string::npos);
}

TEST_CASE("there is no model without [model]") {
    const Home home;
    Daemon daemon(home.dir.path() / "home", {home.account()}, home.mqtt_url());
    CHECK(daemon.status().at("model").is_null());
}

TEST_CASE("a key that others can read, or that is not there, keeps a2hd from starting") {
    const Home home(0644);
    {
        Daemon daemon(home.dir.path() / "home", {home.account()}, home.mqtt_url());
        daemon.stop();
    }
    const auto start_with = [&](const std::string& more) {
        std::ofstream(home.dir.path() / "home" / "config.toml") << home.config(more);
        return a2h::test::run({A2H_BIN_DIR "/a2hd", "--home", (home.dir.path() / "home").string()});
    };
    const auto readable = start_with("key_file = \"" + home.key_file() + "\"\n");
    CHECK(readable.status != 0);
    CHECK(readable.err.find("chmod 600") != std::string::npos);
    CHECK(readable.err.find(kKey) == std::string::npos);
    CHECK(start_with("key_file = \"/nowhere\"\n").err.find("/nowhere") != std::string::npos);
    CHECK(start_with("credential = \"model-key\"\n").err.find("credential") != std::string::npos);
}
