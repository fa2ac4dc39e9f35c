#include "mcp/daemon_link.h"

#include <doctest/doctest.h>

#include <atomic>
#include <filesystem>
#include <future>
#include <string>

#include "core/control/change_page.h"
#include "core/control/server.h"
#include "tests/support/temp_dir.h"

using namespace std::chrono_literals;
using a2h::ErrorCode;
using a2h::control::Server;
using a2h::mcp::DaemonCall;
using a2h::mcp::DaemonLink;

namespace {

const DaemonCall kStatusCall{.method = "status", .params_json = "{}", .repeatable = true};

Server::OnLine answering(const std::string& result) {
    return [result](const std::string& line, const Server::Respond& respond) {
        const auto begin = line.find("\"id\":") + 5;
        respond("{\"id\":" + line.substr(begin, line.find(',', begin) - begin) +
                ",\"result\":" + result + "}");
    };
}

}  // namespace

TEST_CASE("without a daemon and without leave to start one the error says how") {
    const a2h::test::TempDir home;
    DaemonLink link({.home = home.path(), .may_start = false});
    const auto result = link.call(kStatusCall, {});
    REQUIRE(!result);
    CHECK(result.error().code == ErrorCode::Unavailable);
    CHECK(result.error().message.find("a2h up --home " + home.path().string()) !=
          std::string::npos);
    CHECK(!std::filesystem::exists(home.path() / "run"));
}

TEST_CASE("a restarted daemon is found again by the next call") {
    const a2h::test::TempDir home;
    std::filesystem::create_directory(home.path() / "run");
    const auto socket = home.path() / "run/a2hd.sock";
    DaemonLink link({.home = home.path(), .may_start = false});
    for (const char* answer : {"1", "2", "3"}) {
        auto server = Server::start(socket, answering(answer));
        REQUIRE(server);
        CHECK(link.call(kStatusCall, {}).value_or("none") == answer);
    }
}

TEST_CASE("changes are counted only while a daemon counts them") {
    const a2h::test::TempDir home;
    std::filesystem::create_directory(home.path() / "run");
    auto page = a2h::control::ChangePage::create(home.path() / "run/changes");
    REQUIRE(page);
    DaemonLink link({.home = home.path(), .may_start = false});
    CHECK(!link.change_count());  // nothing has been asked yet
    auto server = Server::start(home.path() / "run/a2hd.sock", answering("1"));
    REQUIRE(server);
    REQUIRE(link.call(kStatusCall, {}));
    const auto before = link.change_count();
    REQUIRE(before);
    (*page)->note_change();
    CHECK(link.change_count() == *before + 1);
    server->reset();
    CHECK(!link.change_count());
}

TEST_CASE("a call waits for a daemon that is being restarted") {
    const a2h::test::TempDir home;
    std::filesystem::create_directory(home.path() / "run");
    const auto socket = home.path() / "run/a2hd.sock";
    DaemonLink link({.home = home.path(), .may_start = false});
    auto server = Server::start(socket, answering("1"));
    CHECK(link.call(kStatusCall, {}).value_or("none") == "1");
    server->reset();
    const DaemonCall look{.method = "status", .params_json = "{}", .patient = false};
    CHECK(!link.call(look, {}));  // from here on the end of the connection is known
    const DaemonCall change{.method = "send", .params_json = "{}"};
    auto waiting = std::async(std::launch::async, [&] { return link.call(change, {}); });
    CHECK(waiting.wait_for(100ms) == std::future_status::timeout);
    server = Server::start(socket, answering("2"));
    CHECK(waiting.get().value_or("none") == "2");
}

TEST_CASE("a daemon that does not come back is reported after the wait for it, and then at once") {
    const a2h::test::TempDir home;
    std::filesystem::create_directory(home.path() / "run");
    const auto socket = home.path() / "run/a2hd.sock";
    DaemonLink link({.home = home.path(), .may_start = false, .restart_timeout = 300ms});
    auto server = Server::start(socket, answering("1"));
    CHECK(link.call(kStatusCall, {}).has_value());
    server->reset();
    const auto begun = std::chrono::steady_clock::now();
    const DaemonCall look{.method = "status", .params_json = "{}", .patient = false};
    CHECK(!link.call(look, {}));  // a mere look waits for nobody
    const auto result = link.call(kStatusCall, {});
    CHECK(std::chrono::steady_clock::now() - begun >= 300ms);
    REQUIRE(!result);
    CHECK(result.error().message.find("a2h up") != std::string::npos);
    std::stop_source cancelled;
    cancelled.request_stop();
    CHECK(!link.call(kStatusCall, cancelled.get_token()));
}

TEST_CASE("a call whose connection ends is repeated only when that is harmless") {
    const a2h::test::TempDir home;
    std::filesystem::create_directory(home.path() / "run");
    const auto socket = home.path() / "run/a2hd.sock";
    for (const bool repeatable : {true, false}) {
        CAPTURE(repeatable);
        // The first connection is dropped by an answer that no client takes.
        std::atomic<int> calls = 0;
        auto server = Server::start(socket, [&](const std::string& line, const auto& respond) {
            if (++calls == 1) return respond(std::string(17 * 1024 * 1024, 'x'));
            answering("5")(line, respond);
        });
        REQUIRE(server);
        DaemonLink link({.home = home.path(), .may_start = false});
        const auto result =
            link.call({.method = "status", .params_json = "{}", .repeatable = repeatable}, {});
        CHECK(result.has_value() == repeatable);
        CHECK(calls == (repeatable ? 2 : 1));
    }
}
