#include "mcp/toolsets.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/catalogue/operations.h"
#include "mcp/tokens.h"
#include "mcp/tools.h"

using namespace a2h;
using mcp::tool_list;
using mcp::ToolChoice;
using mcp::Toolsets;
using nlohmann::json;

namespace {

constexpr std::size_t kEverydayTokensMax = 8000;

json listed(const ToolChoice& choice) {
    const auto toolsets = Toolsets::choose(choice);
    REQUIRE(toolsets);
    return json(tool_list(*toolsets));
}

ToolChoice only_toolsets(std::string names) {
    ToolChoice choice;
    choice.toolsets = std::move(names);
    return choice;
}

bool lists(const json& tools, std::string_view name) {
    return std::any_of(tools.begin(), tools.end(),
                       [&](const json& tool) { return tool["name"] == name; });
}

std::size_t all_tools() {
    const auto rows = catalogue::operations();
    return static_cast<std::size_t>(
        std::count_if(rows.begin(), rows.end(), [](const auto& row) { return !row.tool.empty(); }));
}

std::string refusal(const ToolChoice& choice) {
    const auto toolsets = Toolsets::choose(choice);
    REQUIRE_FALSE(toolsets);
    CHECK(toolsets.error().code == ErrorCode::InvalidArgument);
    return toolsets.error().message;
}

}  // namespace

TEST_CASE("all toolsets together list every tool") {
    CHECK(tool_list(Toolsets::all()).size() == all_tools());
    CHECK(listed(only_toolsets("all")).size() == all_tools());
    CHECK(listed(only_toolsets("core,all")).size() == all_tools());
}

TEST_CASE("without a choice the everyday tools are listed, small enough for a model") {
    const json everyday = listed({});
    CHECK(everyday == json(tool_list(Toolsets::everyday())));
    CHECK(everyday.size() == 19);
    const std::size_t tokens = mcp::estimated_tokens(everyday.dump());
    MESSAGE("tools/list: ", tokens, " tokens by estimate, ", everyday.dump().size(), " bytes");
    CHECK(tokens <= kEverydayTokensMax);
}

TEST_CASE("toolsets are named with commas between, in the catalogue's order") {
    CHECK(listed(only_toolsets("orders")).size() == 4);
    CHECK(listed(only_toolsets(" orders , files ")).size() == 5);
    CHECK(listed(only_toolsets("orders,core"))[0]["name"] == "a2h_status");
}

TEST_CASE("single tools are shown alone, or beside the toolsets that are named") {
    CHECK(listed({.toolsets = {}, .tools = "a2h_recorded_deal_get,a2h_status", .exclude_tools = {}})
              .size() == 2);
    const json both = listed({.toolsets = "orders", .tools = "a2h_status", .exclude_tools = {}});
    CHECK(both.size() == 5);
    CHECK(both[0]["name"] == "a2h_status");
}

TEST_CASE("an excluded tool is not shown, however else it was named") {
    const json tools = listed(
        {.toolsets = "orders", .tools = "a2h_send", .exclude_tools = "a2h_send,a2h_order_get"});
    CHECK(tools.size() == 3);
    CHECK(!lists(tools, "a2h_send"));
}

TEST_CASE("read-only has priority over every other choice") {
    const json tools =
        listed({.toolsets = "all", .tools = "a2h_send", .exclude_tools = {}, .read_only = true});
    CHECK(tools.size() > 10);
    for (const json& tool : tools)
        CHECK(tool["annotations"]["readOnlyHint"] == true);
}

TEST_CASE("an unknown toolset is refused with the known ones or the one that was meant") {
    for (const char* text : {"everything", "core,", "core;orders", "x"}) {
        CAPTURE(text);
        CHECK(refusal(only_toolsets(text)).find("known are all, core, works") != std::string::npos);
    }
    CHECK(refusal(only_toolsets("order")).find("did you mean orders?") != std::string::npos);
}

TEST_CASE("an unknown tool is refused with the one that was meant") {
    CHECK(refusal({.toolsets = {}, .tools = "a2h_sned", .exclude_tools = {}}) ==
          "there is no tool \"a2h_sned\"; did you mean a2h_send?");
    CHECK(refusal({.toolsets = {}, .tools = {}, .exclude_tools = "order_create"}) ==
          "there is no tool \"order_create\"; did you mean a2h_order_create?");
    // For people at a terminal only.
    CHECK(refusal({.toolsets = {}, .tools = "a2h_daemon_stop", .exclude_tools = {}})
              .starts_with("there is no tool"));
}

TEST_CASE("a choice that leaves no tool is refused") {
    CHECK(refusal({.toolsets = {}, .tools = "a2h_send", .exclude_tools = {}, .read_only = true})
              .find("no tool is left") != std::string::npos);
}

TEST_CASE("why a tool is hidden names the option that hides it") {
    const auto& send = *catalogue::find_tool("a2h_send");
    const auto why = [&](const ToolChoice& choice) {
        return Toolsets::choose(choice)->why_hidden(send);
    };
    CHECK(why(only_toolsets("orders")).find("toolset core") != std::string::npos);
    CHECK(why({.toolsets = {}, .tools = {}, .exclude_tools = "a2h_send"}).find("--exclude-tools") !=
          std::string::npos);
    CHECK(why({.toolsets = {}, .tools = {}, .exclude_tools = {}, .read_only = true})
              .find("--read-only") != std::string::npos);
}
