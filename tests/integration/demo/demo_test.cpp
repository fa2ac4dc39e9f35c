#include <doctest/doctest.h>
#include <signal.h>

#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/process.h"
#include "tests/support/temp_dir.h"

namespace fs = std::filesystem;
using namespace a2h;
using namespace std::chrono_literals;

namespace {

const std::string kProgram = A2H_BIN_DIR "/a2h";

std::map<std::string, std::string> environment(const fs::path& temp, const std::string& language) {
    return {{"TMPDIR", temp.string()}, {"LC_ALL", language}};
}

std::string content(const fs::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

std::vector<pid_t> children_of(pid_t pid) {
    std::istringstream list(
        content("/proc/" + std::to_string(pid) + "/task/" + std::to_string(pid) + "/children"));
    std::vector<pid_t> children;
    for (pid_t child = 0; list >> child;)
        children.push_back(child);
    return children;
}

bool is_gone(pid_t pid) {
    const std::string status = content("/proc/" + std::to_string(pid) + "/stat");
    return status.empty() || status.find(") Z ") != std::string::npos;
}

std::string name_of(pid_t pid) {
    std::string name = content("/proc/" + std::to_string(pid) + "/comm");
    if (name.ends_with('\n')) name.pop_back();
    return name;
}

/// A demo that waits for its human, with everything it has started.
struct Waiting {
    test::TempDir temp;
    test::TempDir output;
    fs::path out = output.path() / "out";
    fs::path err = output.path() / "err";
    test::Process demo{{.argv = {kProgram, "demo"},
                        .environment = environment(temp.path(), "en_US.UTF-8"),
                        .stdout_file = out,
                        .stderr_file = err}};
    std::vector<pid_t> children;

    Waiting() {
        const bool asked = test::eventually(
            [&] { return content(out).find("/a/apr_") != std::string::npos || !demo.running(); },
            60s);
        CAPTURE(content(out));
        CAPTURE(content(err));
        REQUIRE(asked);
        REQUIRE(demo.running());
        children = children_of(demo.pid());
        REQUIRE(children.size() == 4);
    }

    void check_nothing_is_left() {
        CHECK(test::eventually([&] {
            for (const pid_t child : children) {
                if (!is_gone(child)) return false;
            }
            return true;
        }));
    }
};

}  // namespace

TEST_CASE("the demo does the main job by itself, in both languages and twice in a row") {
    for (const char* language : {"en_US.UTF-8", "zh_CN.UTF-8"}) {
        CAPTURE(language);
        const test::TempDir temp;
        const auto ran =
            test::run({kProgram, "demo", "--auto"}, environment(temp.path(), language), {}, 90s);
        CAPTURE(ran.out);
        CAPTURE(ran.err);
        CHECK(ran.status == 0);
        CHECK(ran.out.find("280") != std::string::npos);
        CHECK(ran.out.find("/a/apr_") != std::string::npos);
        CHECK(ran.out.find('\x1b') == std::string::npos);
        CHECK((ran.out.find("个人写真") != std::string::npos) == (language[0] == 'z'));
        CHECK(fs::is_empty(temp.path()));
    }
}

TEST_CASE("with --json the demo prints one envelope that names every step") {
    const test::TempDir temp;
    const auto ran = test::run({kProgram, "demo", "--auto", "--json"},
                               environment(temp.path(), "en_US.UTF-8"), {}, 90s);
    CAPTURE(ran.err);
    REQUIRE(ran.status == 0);
    const auto envelope = nlohmann::json::parse(ran.out);
    CHECK(envelope["data"]["steps"] == nlohmann::json{"started", "asked", "answered",
                                                      "approval_asked", "approval_answered",
                                                      "reply_received", "silent"});
}

TEST_CASE("Ctrl-C and SIGTERM end the demo with all it started") {
    for (const int number : {SIGINT, SIGTERM}) {
        Waiting waiting;
        waiting.demo.signal(number);
        CHECK(waiting.demo.wait(40s) == 0);
        waiting.check_nothing_is_left();
        CHECK(fs::is_empty(waiting.temp.path()));
    }
}

TEST_CASE("a program that dies ends the demo, which names it") {
    Waiting waiting;
    for (const pid_t child : waiting.children) {
        if (name_of(child) == "mosquitto") ::kill(child, SIGKILL);
    }
    CHECK(waiting.demo.wait(40s) == 1);
    CHECK(content(waiting.err).find("mosquitto ended by itself") != std::string::npos);
    waiting.check_nothing_is_left();
}

TEST_CASE("nothing keeps running when the demo itself is killed") {
    Waiting waiting;
    ::kill(waiting.demo.pid(), SIGKILL);
    waiting.demo.wait(10s);
    waiting.check_nothing_is_left();
}
