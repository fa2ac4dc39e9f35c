#include "core/systemd/notify.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <string>

#include "core/systemd/activation.h"
#include "tests/support/environment.h"
#include "tests/support/notify_socket.h"
#include "tests/support/temp_dir.h"

using namespace std::chrono_literals;
using a2h::test::NotifySocket;
using a2h::test::TempDir;
using a2h::test::Variable;

namespace systemd = a2h::systemd;

TEST_CASE("each word for the manager is one message") {
    const TempDir dir;
    NotifySocket manager((dir.path() / "notify").string());
    const Variable where("NOTIFY_SOCKET", manager.name());
    systemd::notify_ready();
    systemd::notify_watchdog();
    systemd::notify_status("two\nlines");
    systemd::notify_stopping();
    CHECK(manager.next(1s) == "READY=1");
    CHECK(manager.next(1s) == "WATCHDOG=1");
    CHECK(manager.next(1s) == "STATUS=two lines");
    CHECK(manager.next(1s) == "STOPPING=1");
}

TEST_CASE("a reload is reported with the time at which it began") {
    const TempDir dir;
    NotifySocket manager((dir.path() / "notify").string());
    const Variable where("NOTIFY_SOCKET", manager.name());
    systemd::notify_reloading();
    const std::string told = manager.next(1s).value_or("");
    CHECK(told.starts_with("RELOADING=1\nMONOTONIC_USEC="));
    CHECK(std::stoll(told.substr(told.rfind('=') + 1)) > 0);
}

TEST_CASE("a manager may listen on an abstract name") {
    NotifySocket manager("@a2h-test-" + std::to_string(::getpid()));
    const Variable where("NOTIFY_SOCKET", manager.name());
    systemd::notify_ready();
    CHECK(manager.next(1s) == "READY=1");
}

TEST_CASE("without a manager, or after it has ended, nothing is sent") {
    systemd::notify_ready();
    const TempDir dir;
    for (const std::string& name : {(dir.path() / "nobody").string(), std::string("relative"),
                                    std::string("@"), "/" + std::string(200, 'x')}) {
        const Variable where("NOTIFY_SOCKET", name);
        systemd::notify_ready();
    }
}

TEST_CASE("a manager that does not read delays the caller only briefly") {
    const TempDir dir;
    const NotifySocket manager((dir.path() / "notify").string());
    const Variable where("NOTIFY_SOCKET", manager.name());
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < 30; ++i)  // its queue holds ten messages or a little more
        systemd::notify_watchdog();
    CHECK(std::chrono::steady_clock::now() - begin < 5s);
}

TEST_CASE("the watchdog time is the manager's and for the named process only") {
    CHECK(!systemd::watchdog_period());
    const Variable period("WATCHDOG_USEC", "3000000");
    CHECK(systemd::watchdog_period() == 3s);
    {
        const Variable whom("WATCHDOG_PID", std::to_string(::getpid()));
        CHECK(systemd::watchdog_period() == 3s);
    }
    const Variable whom("WATCHDOG_PID", std::to_string(::getppid()));
    CHECK(!systemd::watchdog_period());
}

TEST_CASE("a watchdog time that is not a number of microseconds is ignored") {
    for (const char* text : {"", "0", "-5", "1x", "99999999999999999999"}) {
        const Variable period("WATCHDOG_USEC", text);
        CHECK(!systemd::watchdog_period());
    }
}

TEST_CASE("sockets that were handed to another process are not taken") {
    const Variable count("LISTEN_FDS", "1");
    const Variable whom("LISTEN_PID", std::to_string(::getppid()));
    const auto taken = systemd::take_listening_socket();
    REQUIRE(taken);
    CHECK(!taken->has_value());
}

TEST_CASE("more than one socket, or another kind, is a wrong socket unit") {
    const Variable whom("LISTEN_PID", std::to_string(::getpid()));
    for (const char* count : {"2", "1"}) {  // descriptor 3 of this test is no listening socket
        const Variable sockets("LISTEN_FDS", count);
        const auto taken = systemd::take_listening_socket();
        REQUIRE(!taken);
        CHECK(taken.error().code == a2h::ErrorCode::InvalidArgument);
        CHECK(taken.error().message.find("ListenStream=") != std::string::npos);
    }
}
