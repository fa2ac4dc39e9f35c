#include "mcp/toolsets.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "mcp/tools.h"

using namespace a2h;
using mcp::tool_list;
using mcp::Toolsets;

namespace {

/// What counts is tokens, 8 000 at most; one has about 3.5 bytes of such text.
constexpr std::size_t kEverydayBytesMax = 28'000;

std::size_t count(std::string_view text) {
    const auto toolsets = Toolsets::parse(text);
    REQUIRE(toolsets);
    return tool_list(*toolsets).size();
}

}  // namespace

TEST_CASE("all toolsets together list every tool") {
    CHECK(tool_list(Toolsets::all()).size() == 52);
    CHECK(count("all") == 52);
    CHECK(count("core,all") == 52);
}

TEST_CASE("without a choice the everyday tools are listed, small enough for a model") {
    const auto everyday = tool_list(Toolsets::everyday());
    CHECK(everyday.size() == 17);
    CHECK(everyday.dump().size() <= kEverydayBytesMax);
}

TEST_CASE("toolsets are named with commas between, in the catalogue's order") {
    CHECK(count("orders") == 4);
    CHECK(count(" orders , files ") == 5);
    CHECK(tool_list(*Toolsets::parse("orders,core"))[0]["name"] == "a2h_status");
}

TEST_CASE("an unknown toolset is refused with the known ones") {
    for (const char* text : {"", "order", "core,", "core;orders", "CORE"}) {
        CAPTURE(text);
        const auto toolsets = Toolsets::parse(text);
        REQUIRE_FALSE(toolsets);
        CHECK(toolsets.error().code == ErrorCode::InvalidArgument);
        CHECK(toolsets.error().message.find("all, core, works, orders") != std::string::npos);
    }
}
