#include <doctest/doctest.h>

#include <string>

#include "core/wire/crypto.h"
#include "tests/support/daemon.h"
#include "tests/support/temp_dir.h"

using namespace a2h;

namespace {

/// A real a2hd whose market and broker cannot be reached, so that no message ever leaves.
class LonelyDaemon {
  public:
    /// Lets third-party clients use it: `argv` is a script of tests/mcp and its arguments.
    test::Ran serve(std::vector<std::string> argv) {
        argv[0] = A2H_SOURCE_DIR "/tests/mcp/" + argv[0];
        return test::run(argv, {{"A2H_TEST_HOME", daemon_.home().string()}}, {},
                         std::chrono::minutes(5));
    }

  private:
    static platform::Account account(const std::string& nowhere) {
        platform::Account account;
        account.api_base = "http://" + nowhere;
        account.agent_id = "ag_seller";
        account.keys = {"test-key-0001", wire::new_key_pair()};
        return account;
    }

    test::TempDir dir_;
    std::string nowhere_ = "127.0.0.1:" + std::to_string(test::free_port());
    test::Daemon daemon_{dir_.path() / "home", {account(nowhere_)}, "mqtt://" + nowhere_};
};

}  // namespace

TEST_CASE("the official MCP clients work with a real a2hd") {
    LonelyDaemon daemon;
    const auto ran = daemon.serve({"run", A2H_BUILD_DIR, "daemon.mjs"});
    CHECK_MESSAGE(ran.status == 0, ran.out << ran.err);
}

TEST_CASE("the agent frameworks that people use list and call all tools of a real a2hd") {
    LonelyDaemon daemon;
    const auto ran = daemon.serve({"frameworks/run", A2H_BUILD_DIR});
    CHECK_MESSAGE(ran.status == 0, ran.out << ran.err);
}
