#include <doctest/doctest.h>

#include <string>

#include "core/wire/crypto.h"
#include "tests/support/daemon.h"
#include "tests/support/temp_dir.h"

TEST_CASE("the official MCP clients work with a real a2hd") {
    const a2h::test::TempDir dir;
    const std::string nowhere = "127.0.0.1:" + std::to_string(a2h::test::free_port());
    a2h::platform::Account account;
    account.api_base = "http://" + nowhere;
    account.agent_id = "ag_seller";
    account.keys = {"test-key-0001", a2h::wire::new_key_pair()};
    const a2h::test::Daemon daemon(dir.path() / "home", {account}, "mqtt://" + nowhere);
    const auto ran =
        a2h::test::run({A2H_SOURCE_DIR "/tests/mcp/run", A2H_BUILD_DIR, "daemon.mjs"},
                       {{"A2H_TEST_HOME", daemon.home().string()}}, {}, std::chrono::minutes(3));
    CAPTURE(ran.out);
    CAPTURE(ran.err);
    CHECK(ran.status == 0);
}
