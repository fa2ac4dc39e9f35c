#include "cli/standard.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/catalogue/arguments.h"
#include "core/catalogue/operations.h"

using namespace a2h;
using namespace a2h::cli;
using nlohmann::json;

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
