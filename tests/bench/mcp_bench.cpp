// Runs mcp_calls.mjs beside a real a2hd whose broker and market are out of reach.
//   mcp_bench BUILD DATA MODULES [--quick]
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "core/wire/crypto.h"
#include "tests/support/daemon.h"

int main(int argc, char** argv) {
    if (argc < 4) {
        std::fputs("usage: mcp_bench BUILD DATA MODULES [--quick]\n", stderr);
        return 2;
    }
    const std::string nowhere = "127.0.0.1:" + std::to_string(a2h::test::free_port());
    a2h::platform::Account account;
    account.api_base = "http://" + nowhere;
    account.agent_id = "ag_seller";
    account.keys = {"bench-key-0001", a2h::wire::new_key_pair()};
    const a2h::test::Daemon daemon(std::filesystem::path(argv[2]) / "mcp", {account},
                                   "mqtt://" + nowhere);
    std::vector<std::string> command = {"node", A2H_SOURCE_DIR "/tests/bench/mcp_calls.mjs",
                                        argv[1], argv[3]};
    if (argc > 4) command.push_back(argv[4]);
    const auto ran =
        a2h::test::run(std::move(command), {{"A2H_BENCH_HOME", daemon.home().string()}}, {},
                       std::chrono::minutes(10));
    std::fputs(ran.out.c_str(), stdout);
    std::fputs(ran.err.c_str(), stderr);
    return ran.status;
}
