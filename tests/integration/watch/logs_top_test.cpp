// `a2h logs`, the journal and `a2h top` against a real a2hd.
#include <doctest/doctest.h>
#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/support/daemon.h"
#include "tests/support/market.h"
#include "tests/support/notify_socket.h"
#include "tests/support/temp_dir.h"

using namespace a2h;
using namespace a2h::test;
using namespace std::chrono_literals;
using nlohmann::json;

namespace {

/// An a2hd without a broker and without a market: it says so in its log.
struct Alone {
    TempDir dir;
    Daemon daemon;

    explicit Alone(DaemonOptions options = {})
        : daemon(dir.path() / "home", {account()}, "mqtt://127.0.0.1:1", std::move(options)) {}

    static platform::Account account() {
        platform::Account account{"http://127.0.0.1:1", "ag_self", {}};
        account.keys.agent_key = "key";
        return account;
    }
    std::vector<std::string> command(std::vector<std::string> words) const {
        std::vector<std::string> argv = {A2H_BIN_DIR "/a2h", "--home", daemon.home().string()};
        argv.insert(argv.end(), words.begin(), words.end());
        return argv;
    }
    Ran a2h_runs(std::vector<std::string> words) const {
        return run(command(std::move(words)), {{"LC_ALL", "en_US.UTF-8"}});
    }
    /// `a2h` with its stdout as a pipe to read from.
    Process begin(std::vector<std::string> words) const {
        return Process({.argv = command(std::move(words)),
                        .environment = {{"LC_ALL", "en_US.UTF-8"}},
                        .stderr_file = dir.path() / "err"});
    }
    std::string said() const {
        std::ostringstream text;
        text << std::ifstream(dir.path() / "err").rdbuf();
        return text.str();
    }
};

bool reads_until(Process& process, const std::string& words) {
    while (const auto line = process.read_line(30s))
        if (line->find(words) != std::string::npos) return true;
    return false;
}

/// A terminal of 80 columns and 24 rows with `a2h top` on it.
struct Terminal {
    int fd = -1;
    pid_t pid = -1;
    std::string seen;

    explicit Terminal(std::vector<std::string> command) {
        std::vector<char*> argv;
        for (auto& word : command)
            argv.push_back(word.data());
        argv.push_back(nullptr);
        winsize size{};
        size.ws_col = 80;
        size.ws_row = 24;
        pid = ::forkpty(&fd, nullptr, nullptr, &size);
        REQUIRE(pid >= 0);
        if (pid == 0) {
            ::setenv("TERM", "xterm-256color", 1);
            ::setenv("LC_ALL", "en_US.UTF-8", 1);
            ::execv(argv[0], argv.data());
            ::_exit(127);
        }
    }
    ~Terminal() {
        if (pid > 0) {
            ::kill(pid, SIGKILL);
            ::waitpid(pid, nullptr, 0);
        }
        ::close(fd);
    }
    /// False when the program has left the terminal before, or says nothing for long.
    bool shows(const std::string& words) {
        char chunk[4096];
        while (seen.find(words) == std::string::npos) {
            pollfd readable{fd, POLLIN, 0};
            if (::poll(&readable, 1, kSlowdown * 60'000) <= 0) return false;
            const ssize_t got = ::read(fd, chunk, sizeof chunk);
            if (got <= 0) return false;
            seen.append(chunk, static_cast<std::size_t>(got));
        }
        return true;
    }
    /// Its exit status, once it has gone.
    int ends() {
        while (shows("\x01 never shown")) {
        }
        int status = 0;
        REQUIRE(::waitpid(pid, &status, 0) == pid);
        pid = -1;
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
};

}  // namespace

TEST_CASE("the log can be read without a journal, by level and by number") {
    Alone scene;
    REQUIRE(eventually(
        [&] { return scene.a2h_runs({"logs"}).out.find("is ready") != std::string::npos; }));
    const auto one = scene.a2h_runs({"logs", "-n", "1", "--json"});
    CHECK(one.status == 0);
    const json data = json::parse(one.out)["data"];
    CHECK(data["lines"].size() == 1);
    CHECK(data["last"] >= data["lines"][0]["number"]);
    CHECK(scene.a2h_runs({"logs", "--level", "error"}).out.find("is ready") == std::string::npos);
    CHECK(scene.a2h_runs({"logs", "--level", "loud"}).status == 1);
    CHECK(scene.a2h_runs({"logs", "-n", "none"}).status == 2);
    CHECK(scene.daemon.call_assistant("logs")["ok"] == false);

    scene.daemon.stop();
    const auto gone = scene.a2h_runs({"logs"});
    CHECK(gone.status == 1);
    CHECK(gone.err.find("run/a2hd.log") != std::string::npos);
}

TEST_CASE("following the log shows each new line and ends with a2hd") {
    Alone scene;
    Process follower = scene.begin({"logs", "--follow"});
    REQUIRE(reads_until(follower, "is ready"));
    scene.daemon.stop();
    follower.read_all(30s);
    CHECK(follower.wait(30s) == 0);
    CHECK(scene.said().find("a2hd has ended.") != std::string::npos);
}

TEST_CASE("a line that is logged later reaches who follows") {
    const TempDir dir;
    Market market(dir.path() / "market");
    Daemon daemon(dir.path() / "home", {market.register_agent("seller")}, market.mqtt_url());
    REQUIRE(daemon.connected());
    Process follower(
        {.argv = {A2H_BIN_DIR "/a2h", "--home", daemon.home().string(), "logs", "-f", "-n", "1"}});
    REQUIRE(follower.read_line(30s));
    market.stop_broker();
    CHECK(reads_until(follower, "The connection to the broker was lost"));
}

TEST_CASE("under systemd the journal gets each part of a line as a field") {
    const TempDir place;
    NotifySocket journal((place.path() / "journal").string());
    const auto home = place.path() / "home";
    REQUIRE(platform::make_private_folder(home).has_value());
    std::ofstream(home / "a2hd.log").flush();
    struct stat stream {};
    REQUIRE(::stat((home / "a2hd.log").c_str(), &stream) == 0);
    Daemon daemon(home, {Alone::account()}, "mqtt://127.0.0.1:1",
                  {.environment = {{"JOURNAL_STREAM", std::to_string(stream.st_dev) + ":" +
                                                          std::to_string(stream.st_ino)},
                                   {"A2H_JOURNAL_SOCKET", journal.name()}}});
    const auto told = journal.until("MESSAGE=a2hd is ready", 20s);
    CHECK(told.back().find("\nPRIORITY=6\n") != std::string::npos);
    CHECK(told.back().find("\nA2H_AGENTS=1\n") != std::string::npos);
    CHECK(daemon.log().empty());
}

TEST_CASE("a frame of top says what the metrics say, without a code for terminals") {
    Alone scene;
    const auto frame = scene.a2h_runs({"top", "--once"});
    CHECK(frame.status == 0);
    CHECK(frame.out.starts_with("a2hd "));
    CHECK(frame.out.find("0 received, 0 refused, 0 decided, 0 sent") != std::string::npos);
    CHECK(frame.out.find('\x1b') == std::string::npos);
    const json data = json::parse(scene.a2h_runs({"top", "--once", "--json"}).out)["data"];
    CHECK(data["metrics"]["series"].size() > 20);
    CHECK(data["status"]["agent_id"] == "ag_self");
    CHECK(scene.a2h_runs({"top", "--interval", "0"}).status == 2);
}

TEST_CASE("in a pipe one frame follows another until a2hd ends") {
    Alone scene;
    Process top = scene.begin({"top", "--interval", "1"});
    REQUIRE(reads_until(top, "a2hd "));
    REQUIRE(reads_until(top, "Per minute"));  // of the second one
    scene.daemon.stop();
    CHECK(top.read_all(30s).find('\x1b') == std::string::npos);
    CHECK(top.wait(30s) == 0);
}

TEST_CASE("on a terminal top fills the screen and gives it back") {
    Alone scene;
    Terminal terminal(scene.command({"top", "--interval", "600"}));
    REQUIRE(terminal.shows("\x1b[?1049h"));
    REQUIRE(terminal.shows("\x1b[KProcess"));
    SUBCASE("at q") {
        REQUIRE(::write(terminal.fd, "q", 1) == 1);
    }
    SUBCASE("at Ctrl-C") {
        REQUIRE(::write(terminal.fd, "\x03", 1) == 1);
    }
    SUBCASE("when it is told to end") {
        REQUIRE(::kill(terminal.pid, SIGTERM) == 0);
    }
    CHECK(terminal.ends() == 0);
    CHECK(terminal.seen.ends_with("\x1b[?25h\x1b[?1049l"));
}

TEST_CASE("a terminal that changes its size is drawn anew at once") {
    Alone scene;
    Terminal terminal(scene.command({"top", "--interval", "600"}));
    REQUIRE(terminal.shows("\x1b[KProcess"));
    terminal.seen.clear();
    winsize size{};
    size.ws_col = 100;
    size.ws_row = 30;
    REQUIRE(::ioctl(terminal.fd, TIOCSWINSZ, &size) == 0);
    CHECK(terminal.shows("\x1b[KProcess"));
    REQUIRE(::write(terminal.fd, "q", 1) == 1);
    CHECK(terminal.ends() == 0);
}
