// Runs every kept input through its target once, so that what a fuzzer found stays found.

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/fuzz/targets.h"

namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void replay(const char* corpus, void (*target)(std::string_view)) {
    std::size_t count = 0;
    const fs::path root = fs::path(A2H_SOURCE_DIR) / "tests/fuzz/corpus" / corpus;
    for (const auto& entry : fs::directory_iterator(root)) {
        CAPTURE(entry.path().string());
        target(read(entry.path()));
        ++count;
    }
    CHECK(count > 0);
}

}  // namespace

TEST_CASE("the corpus of agents' messages breaks no promise") {
    replay("agent_messages", a2h::fuzz::agent_messages);
}

TEST_CASE("the corpus of canonical JSON breaks no promise") {
    replay("canonical", a2h::fuzz::canonical);
}

TEST_CASE("the corpus of control frames breaks no promise") {
    replay("control_frames", a2h::fuzz::control_frames);
}

TEST_CASE("the corpus of envelopes breaks no promise") {
    replay("envelope", a2h::fuzz::envelope);
}

TEST_CASE("the corpus of MCP lines breaks no promise") {
    replay("mcp_lines", a2h::fuzz::mcp_lines);
}

TEST_CASE("the corpus of a model's streams breaks no promise") {
    replay("model_stream", a2h::fuzz::model_stream);
}

TEST_CASE("the corpus of task messages breaks no promise") {
    replay("task_messages", a2h::fuzz::task_messages);
}

TEST_CASE("golden envelopes break no promise either") {
    for (const char* folder : {"good", "bad"}) {
        const fs::path root = fs::path(A2H_SOURCE_DIR) / "tests/golden/wire" / folder;
        for (const auto& entry : fs::directory_iterator(root)) {
            a2h::fuzz::envelope(read(entry.path()));
        }
    }
}
