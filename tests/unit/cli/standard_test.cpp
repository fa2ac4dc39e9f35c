#include "cli/standard.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "core/catalogue/arguments.h"
#include "core/catalogue/operations.h"

using namespace a2h;
using namespace a2h::cli;
using nlohmann::json;

namespace {

std::string lower(std::string_view word) {
    std::string text(word);
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

}  // namespace

TEST_CASE("a row of the catalogue that names a command has all that the command is made of") {
    for (const catalogue::Operation& operation : catalogue::operations()) {
        if (operation.command.empty()) continue;
        CAPTURE(operation.action);
        const json& input = catalogue::input_schema(operation);
        for (const json& property : input["properties"]) {
            CAPTURE(property);
            const json& type = property.at("type");
            CHECK((type == "string" || type == "integer" || type == "boolean"));
            CHECK(property.contains("description"));
        }
        CHECK(json::parse(operation.output_schema)["properties"]["data"].contains("properties"));
    }
}

TEST_CASE("a command of a row whose operation takes a PIN offers --pin-stdin and no other way") {
    const auto names = [](std::string_view arguments, bool needs_proof) {
        catalogue::Operation operation{};
        operation.action = "test.pin";
        operation.command = "test pin";
        operation.arguments = arguments;
        operation.needs_proof = needs_proof;
        std::vector<std::string> all;
        for (const Parameter& parameter : standard_command(operation).parameters)
            all.emplace_back(parameter.name);
        return all;
    };
    using Names = std::vector<std::string>;
    constexpr const char* kWord = R"("name!": ["text 1-64", "A name"])";
    constexpr const char* kBoth =
        R"("name!": ["text 1-64", "A name"], "pin!": ["text 1-64", "PIN"])";
    CHECK(names(kWord, false) == Names{"NAME", "--agent"});
    CHECK(names(kWord, true) == Names{"NAME", "--pin-stdin", "--agent"});
    CHECK(names(kBoth, false) == Names{"NAME", "--pin-stdin", "--agent"});
    CHECK(names(R"("pin": ["text 1-64", "PIN"])", false) == Names{"--pin-stdin", "--agent"});
}

TEST_CASE("commands of rows stand among the others, with their help in both languages") {
    const auto of_rows = standard_commands();
    REQUIRE_FALSE(of_rows.empty());
    for (const Command& command : of_rows) {
        const auto all = commands();
        CHECK(std::count_if(all.begin(), all.end(),
                            [&](const Command& other) { return other.name == command.name; }) == 1);
        CHECK_FALSE(command_text(i18n::Language::English, command.summary).empty());
        CHECK(command_text(i18n::Language::Chinese, command.summary) !=
              command_text(i18n::Language::English, command.summary));
    }
}

TEST_CASE("an answer is shown under the titles of the output schema") {
    const json data = {{"trades",
                        {{{"name", "music"}, {"is_read", true}, {"is_owners", false}},
                         {{"name", "tailoring"}, {"is_read", false}, {"is_owners", true}}}},
                       {"not_told", 3}};
    CHECK(standard_text(i18n::Language::English, "playbook.trades", data) ==
          "Trade      Read  Your own\n"
          "music      yes   no\n"
          "tailoring  no    yes\n");
    const std::string chinese = standard_text(i18n::Language::Chinese, "playbook.trades", data);
    CHECK(chinese.find("行业") == 0);
    CHECK(chinese.find("是") != std::string::npos);
    CHECK(standard_text(i18n::Language::English, "playbook.trades", json::object()).empty());
}

TEST_CASE("a command without a handler gives its operation all that is required and nothing else") {
    int without_handler = 0;
    for (const Command& command : commands()) {
        if (command.run != run_standard) continue;
        ++without_handler;
        CAPTURE(command.name);
        const auto* operation = catalogue::find_action(command.action);
        REQUIRE(operation != nullptr);
        const json& schema = catalogue::input_schema(*operation);
        const auto members = members_of(command);
        json call = command.given.empty() ? json::object() : json::parse(command.given);
        for (const Parameter& parameter : command.parameters) {
            CAPTURE(parameter.name);
            const bool is_everywhere =
                parameter.name == "--agent" || parameter.name == "--pin-stdin" ||
                parameter.name == "--no-wait" || parameter.name == "--person";
            CHECK(members.contains(parameter.name) != is_everywhere);
        }
        for (const auto& [parameter, member] : members) {
            // Made from the catalogue alone, where a word is called like its member.
            if (!operation->command.empty() && !parameter.starts_with("--"))
                CHECK(lower(parameter) == member);
            CHECK_FALSE(call.contains(member));
            call[member] = parameter;
        }
        for (const auto& [member, value] : call.items())
            CHECK(schema["properties"].contains(member));
        for (const json& member : schema.value("required", json::array()))
            CHECK((member == "pin" || call.contains(member.get<std::string>())));
    }
    CHECK(without_handler > 20);
}

TEST_CASE("a word gives the member of its name, or the next one that is required") {
    const auto members = [](std::string_view name) {
        const auto all = commands();
        const auto found = std::find_if(
            all.begin(), all.end(), [&](const Command& command) { return command.name == name; });
        REQUIRE(found != all.end());
        return members_of(*found);
    };
    using Members = std::map<std::string_view, std::string>;
    CHECK(members("send") == Members{{"PEER", "target_agent_id"}, {"TEXT", "text"}});
    CHECK(members("mandate bargain") == Members{{"PEER", "peer_id"}, {"WORKS", "works_id"}});
    CHECK(members("task show") == Members{{"ID", "task_id"}});
    CHECK(members("agent stop") == Members{{"ID", "agent_id"}});
    CHECK(members("explain") == Members{{"MESSAGE", "message_id"}});
    CHECK(members("negotiate cancel") == Members{{"DEMAND", "demand_id"}});
    CHECK(members("profiles list") == Members{{"--tag", "tag"}, {"--after", "after"}});
    CHECK(members("outbox list") == Members{{"--state", "state"}});
    CHECK(members("notify test") == Members{{"CHANNEL", "channel"}});
}
