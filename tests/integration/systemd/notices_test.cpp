// The messages that a2hd and a2h-market send to the service manager that started
// them.

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <future>
#include <nlohmann/json.hpp>

#include "core/control/home.h"
#include "tests/support/daemon.h"
#include "tests/support/market.h"
#include "tests/support/notify_socket.h"
#include "tests/support/temp_dir.h"

using namespace std::chrono_literals;
using a2h::control::Client;
using a2h::test::Daemon;
using a2h::test::eventually;
using a2h::test::Market;
using a2h::test::NotifySocket;
using a2h::test::Process;
using a2h::test::TempDir;
using nlohmann::json;

namespace {

namespace fs = std::filesystem;

/// The watchdog time in these tests: a step may take half of it.
constexpr auto kPatience = 1s;

/// A market, a manager and an a2hd that it started.
struct Scene {
    TempDir dir;
    Market market{dir.path() / "market"};
    a2h::platform::Account account = market.register_agent("seller");
    NotifySocket manager{(dir.path() / "notify").string()};
    fs::path hang_file = dir.path() / "hang";
    Daemon daemon;

    /// `step`: hangs from the start.
    explicit Scene(const std::string& step = "")
        : daemon((hang(step), dir.path() / "home"), {account}, market.mqtt_url(),
                 {.environment = {
                      {"NOTIFY_SOCKET", manager.name()},
                      {"WATCHDOG_USEC",
                       std::to_string(
                           std::chrono::microseconds(a2h::test::kSlowdown * kPatience).count())},
                      {"A2H_FAULT_HANG_FILE", hang_file.string()}}}) {}
    ~Scene() { hang(""); }

    void hang(const std::string& step) const { std::ofstream(hang_file) << step; }
    /// Waits until the manager would have ended the process.
    bool is_given_up() { return manager.falls_silent("WATCHDOG=1", kPatience, 20s); }
    void recovers() {
        hang("");
        manager.until("WATCHDOG=1", 20s);
    }
};

}  // namespace

TEST_CASE("a2hd reports once that it is ready, pings the watchdog and reports its stop") {
    Scene scene;
    auto told = scene.manager.until("READY=1", 10s);
    CHECK(Client::connect(a2h::control::Home{scene.daemon.home()}.socket_file()));
    REQUIRE(scene.daemon.connected());
    for (int i = 0; i < 5; ++i)
        std::ranges::copy(scene.manager.until("WATCHDOG=1", 10s), std::back_inserter(told));
    scene.daemon.stop();
    std::ranges::copy(scene.manager.until("STOPPING=1", 10s), std::back_inserter(told));
    CHECK(std::ranges::count(told, "READY=1") == 1);
    CHECK(std::ranges::count(told, "STATUS=1 of 1 mailboxes connected") >= 1);
    CHECK(!scene.manager.next(200ms));
}

TEST_CASE("a loop that hangs sends no ping to the watchdog") {
    Scene scene;
    scene.manager.until("WATCHDOG=1", 10s);
    scene.hang("loop");
    CHECK(scene.is_given_up());
    scene.recovers();
}

TEST_CASE("a writer that hangs sends no ping to the watchdog") {
    Scene scene;
    REQUIRE(scene.daemon.connected());
    scene.hang("writer");
    auto waiting = std::async(std::launch::async, [&] {
        return scene.daemon.call_human("contact.add", R"({"peer_id":"ag_somebody"})");
    });
    CHECK(scene.is_given_up());
    CHECK(scene.daemon.log().find("step=write") != std::string::npos);
    scene.recovers();
    CHECK(waiting.get().contains("ok"));
}

TEST_CASE("a receive callback that hangs sends no ping to the watchdog") {
    Scene scene("receive");  // its own self-test is the first message
    CHECK(eventually([&] { return scene.daemon.log().find("step=receive") != std::string::npos; }));
    CHECK(scene.is_given_up());
    CHECK(scene.daemon.status().contains("agent_id"));  // the loop answers meanwhile
    scene.recovers();
}

TEST_CASE("a broker that is away is no lack of progress") {
    Scene scene;
    REQUIRE(scene.daemon.connected());
    scene.market.stop_broker();
    scene.daemon.call_human("send", R"({"target_agent_id":"ag_somebody","text":"hello"})");
    CHECK(!scene.manager.falls_silent("WATCHDOG=1", kPatience, 5s));
}

TEST_CASE("the first call on a socket unit's socket starts a2hd and is answered") {
    const TempDir dir;
    const a2h::control::Home home{dir.path() / "home"};
    {
        a2h::platform::Account account{"http://127.0.0.1:1", "ag_self", {}};
        account.keys.agent_key = "key";
        Daemon once(home.root, {account}, "mqtt://127.0.0.1:1");
        once.stop();
    }
    REQUIRE(!fs::exists(home.socket_file()));
    Process manager({.argv = {"systemd-socket-activate", "-l", home.socket_file().string(),
                              A2H_BIN_DIR "/a2hd", "--home", home.root.string()},
                     .stderr_file = dir.path() / "log"});
    // The file is there before anybody listens on it.
    auto client = Client::connect(home.socket_file());
    REQUIRE(eventually([&] {
        if (!client) client = Client::connect(home.socket_file());
        return client.has_value();
    }));
    const auto status = (*client)->call("status", "{}", 20s);
    REQUIRE(status);
    CHECK(json::parse(*status)["data"]["agent_id"] == "ag_self");

    SUBCASE("and `a2h down` ends it, though somebody listens on") {
        client->reset();
        const auto down =
            a2h::test::run({A2H_BIN_DIR "/a2h", "--home", home.root.string(), "down"});
        CHECK(down.status == 0);
        CHECK(manager.wait(10s) == 0);
    }
    SUBCASE("and the socket's file is left to who made it") {
        CHECK(manager.stop(10s) == 0);
        CHECK(fs::exists(home.socket_file()));
    }
}

TEST_CASE("a2h-market reports that it is ready, pings the watchdog and reports its stop") {
    const TempDir dir;
    NotifySocket manager((dir.path() / "notify").string());
    Process market({.argv = {A2H_BIN_DIR "/a2h-market", "--data", (dir.path() / "data").string(),
                             "--mqtt-url", "mqtt://127.0.0.1:1"},
                    .environment = {{"NOTIFY_SOCKET", manager.name()}, {"WATCHDOG_USEC", "400000"}},
                    .stderr_file = dir.path() / "log"});
    auto told = manager.until("READY=1", 20s);
    CHECK(told.front().starts_with("STATUS=listening on 127.0.0.1:"));
    for (int i = 0; i < 3; ++i)
        manager.until("WATCHDOG=1", 10s);
    CHECK(market.stop(10s) == 0);
    told = manager.until("STOPPING=1", 10s);
    CHECK(std::ranges::count(told, "READY=1") == 0);
}
