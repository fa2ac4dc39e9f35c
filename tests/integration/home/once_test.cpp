// One operation in an a2hd that does not listen.

#include <doctest/doctest.h>

#include <csignal>
#include <fstream>

#include "core/control/home.h"
#include "daemon/kernel/home_lock.h"
#include "tests/integration/home/test_home.h"

using namespace a2h;
using namespace a2h::test;
using namespace std::chrono_literals;
using nlohmann::json;

namespace {

constexpr int kStatusHomeTaken = 3;

/// True while some a2hd has the home.
bool is_held(const control::Home& home) {
    return !HomeLock::take(home.lock_file()).has_value();
}

/// True when the process takes SIGTERM by itself instead of dying of it.
bool waits_for_signals(pid_t process) {
    std::ifstream status("/proc/" + std::to_string(process) + "/status");
    for (std::string line; std::getline(status, line);) {
        if (!line.starts_with("SigBlk:")) continue;
        const auto blocked =
            std::stoull(line.substr(line.find_first_of("0123456789abcdef", 7)), nullptr, 16);
        return (blocked >> (SIGTERM - 1) & 1) != 0;
    }
    return false;
}

}  // namespace

TEST_CASE("a2hd --once runs one operation, opens no socket and gives the home back") {
    TestHome test_home;
    test_home.daemon.stop();
    const control::Home home{test_home.daemon.home()};

    const json status = test_home.once("status");

    CHECK(status["data"]["agent_id"] == TestHome::kAgent);
    CHECK(status["data"]["connection"]["connected"] == false);
    CHECK(!std::filesystem::exists(home.socket_file()));
    CHECK(!is_held(home));
}

TEST_CASE("a message that a2hd --once queues is sent by the next a2hd that serves") {
    TestHome test_home;
    test_home.daemon.stop();
    // While no mail is received, every text waits for a yes (R46).
    const json asked =
        test_home.once("send", R"({"target_agent_id":"ag_peer","text":"Good morning!"})");
    REQUIRE_MESSAGE(asked["error"].contains("approval_id"), asked.dump());
    const json yes{{"approval_id", asked["error"]["approval_id"]},
                   {"decision", "approve"},
                   {"pin", test::Daemon::kPin},
                   {"face", "human"}};
    const json answered = test_home.once("approval.answer", yes.dump());
    REQUIRE_MESSAGE(answered["ok"] == true, answered.dump());

    const json rows = test_home.once("outbox.list")["data"]["items"];
    REQUIRE(rows.size() == 1);
    CHECK(rows[0]["state"] == "queued");
    CHECK(rows[0]["attempts"] == 0);
    test_home.daemon.start();
    CHECK(test_home.daemon.call_human("outbox.list")["data"]["items"][0]["message_id"] ==
          rows[0]["message_id"]);
}

TEST_CASE("parameters of a2hd --once come from stdin, where nobody else sees them") {
    TestHome test_home;
    test_home.daemon.stop();
    const Ran ran = test_home.a2hd({"--once", "outbox.list", "-"}, R"({"state":"dead"})");
    CHECK(ran.status == 0);
    CHECK(json::parse(ran.out)["data"]["items"].empty());
}

TEST_CASE("an operation that fails returns a result, too") {
    TestHome test_home;
    test_home.daemon.stop();
    CHECK(test_home.once("outbox.list", "[]")["error"]["code"] == "invalid_argument");
    CHECK(test_home.once("outbox.list", "{")["error"]["code"] == "invalid_argument");
    CHECK(test_home.once("outbox.list", R"({"state":"lost"})")["error"]["code"] ==
          "invalid_argument");
    CHECK(test_home.once("no.such")["error"]["message"].get<std::string>().find("no.such") !=
          std::string::npos);
}

TEST_CASE("a home that another a2hd serves is left alone") {
    TestHome test_home;
    const std::string pid = std::to_string(test_home.daemon.process().pid());
    const Ran once = test_home.a2hd({"--once", "status"});
    CHECK(once.status == kStatusHomeTaken);
    const json refused = json::parse(once.out);
    CHECK(refused["error"]["code"] == "conflict");
    CHECK(refused["error"]["message"].get<std::string>().find(pid) != std::string::npos);

    const Ran english = test_home.a2hd({});
    CHECK(english.status == kStatusHomeTaken);
    CHECK(english.err.find("a2hd cannot start: another a2hd (process " + pid) != std::string::npos);
    const Ran chinese = test_home.a2hd({}, {}, "zh_CN.UTF-8");
    CHECK(chinese.status == kStatusHomeTaken);
    CHECK(chinese.err.find("无法启动") != std::string::npos);
    CHECK(chinese.err.find("进程 " + pid) != std::string::npos);
    CHECK(test_home.daemon.call_human("status")["ok"] == true);
}

TEST_CASE("a signal ends a2hd --once with a result") {
    TestHome test_home;
    test_home.daemon.stop();
    Process waiting({.argv = {A2H_BIN_DIR "/a2hd", "--home", test_home.daemon.home().string(),
                              "--once", "approval.wait", R"({"timeout_seconds":30})"},
                     .environment = {},
                     .stdout_file = {},
                     .stderr_file = test_home.dir.path() / "once.log",
                     .pipe_stdin = false});
    REQUIRE(eventually([&] { return waits_for_signals(waiting.pid()); }));
    waiting.signal(SIGTERM);
    const json ended = json::parse(waiting.read_all(10s));
    CHECK(waiting.wait(10s) == 1);
    CHECK(ended["error"]["code"] == "timeout");
}
