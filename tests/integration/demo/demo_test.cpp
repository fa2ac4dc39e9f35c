#include <doctest/doctest.h>
#include <signal.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/integration/demo/running.h"

using namespace a2h;
using namespace a2h::test;
using namespace std::chrono_literals;

namespace {

std::string name_of(pid_t pid) {
    std::string name;
    std::getline(std::ifstream("/proc/" + std::to_string(pid) + "/comm"), name);
    return name;
}

/// A demo that has asked its human.
struct Waiting : Running {
    Waiting() : Running({}) {
        wait_for("/a/apr_", 60s);
        REQUIRE(children().size() == 4);
    }
};

}  // namespace

TEST_CASE("the demo does the main job by itself, in both languages and twice in a row") {
    for (const char* language : {"en_US.UTF-8", "zh_CN.UTF-8"}) {
        CAPTURE(language);
        const test::TempDir temp;
        const auto ran = test::run({kDemoProgram, "demo", "--auto"},
                                   demo_environment(temp.path(), language), {}, 90s);
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
    const auto ran = test::run({kDemoProgram, "demo", "--auto", "--json"},
                               demo_environment(temp.path(), "en_US.UTF-8"), {}, 90s);
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
        waiting.signal(number);
        CHECK(waiting.wait(40s) == 0);
        waiting.check_nothing_is_left();
        CHECK(fs::is_empty(waiting.temp()));
    }
}

TEST_CASE("a program that dies ends the demo, which names it") {
    Waiting waiting;
    for (const pid_t child : waiting.children()) {
        if (name_of(child) == "mosquitto") ::kill(child, SIGKILL);
    }
    CHECK(waiting.wait(40s) == 1);
    CHECK(waiting.complaints().find("mosquitto ended unexpectedly") != std::string::npos);
    waiting.check_nothing_is_left();
}

TEST_CASE("nothing keeps running when the demo itself is killed") {
    Waiting waiting;
    ::kill(waiting.pid(), SIGKILL);
    waiting.wait(10s);
    waiting.check_nothing_is_left();
}
