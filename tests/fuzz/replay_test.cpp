// Runs every kept input through its target once, so that a failure that a fuzzer found does not
// come back unnoticed.

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "tests/fuzz/targets.h"

namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

const std::map<std::string, void (*)(std::string_view)> kTargets = {
    {"agent_messages", a2h::fuzz::agent_messages},
    {"audit_file", a2h::fuzz::audit_file},
    {"broker_login", a2h::fuzz::broker_login},
    {"canonical", a2h::fuzz::canonical},
    {"client_files", a2h::fuzz::client_files},
    {"configuration", a2h::fuzz::configuration},
    {"control_frames", a2h::fuzz::control_frames},
    {"envelope", a2h::fuzz::envelope},
    {"exchange_payload", a2h::fuzz::exchange_payload},
    {"http_fields", a2h::fuzz::http_fields},
    {"identity_files", a2h::fuzz::identity_files},
    {"market_answers", a2h::fuzz::market_answers},
    {"market_request", a2h::fuzz::market_request},
    {"mcp_lines", a2h::fuzz::mcp_lines},
    {"model_stream", a2h::fuzz::model_stream},
    {"reading", a2h::fuzz::reading},
    {"rules", a2h::fuzz::rules},
    {"task_messages", a2h::fuzz::task_messages},
    {"values", a2h::fuzz::values},
    {"web_hooks", a2h::fuzz::web_hooks},
};

}  // namespace

TEST_CASE("the kept inputs of every target break no promise") {
    std::set<std::string> replayed;
    for (const auto& corpus : fs::directory_iterator(A2H_SOURCE_DIR "/tests/fuzz/corpus")) {
        const std::string name = corpus.path().filename();
        CAPTURE(name);
        REQUIRE(kTargets.contains(name));
        for (const auto& entry : fs::directory_iterator(corpus)) {
            CAPTURE(entry.path().string());
            kTargets.at(name)(read(entry.path()));
            replayed.insert(name);
        }
    }
    for (const auto& [name, target] : kTargets)
        CHECK_MESSAGE(replayed.contains(name), name, " has no kept input");
}

TEST_CASE("golden envelopes break no promise either") {
    for (const char* folder : {"good", "bad"}) {
        const fs::path root = fs::path(A2H_SOURCE_DIR) / "tests/golden/wire" / folder;
        for (const auto& entry : fs::directory_iterator(root)) {
            a2h::fuzz::envelope(read(entry.path()));
        }
    }
}
