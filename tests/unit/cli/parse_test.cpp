#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/command.h"
#include "cli/standard.h"

using namespace a2h;
using cli::Failure;
using cli::Invocation;
using cli::Print;
using i18n::Language;

namespace {

auto parse(std::vector<std::string> arguments, Language language = Language::English) {
    return cli::parse(arguments, language);
}

Failure refused(std::vector<std::string> arguments) {
    const auto parsed = parse(std::move(arguments));
    REQUIRE(std::holds_alternative<Failure>(parsed));
    return *std::get_if<Failure>(&parsed);
}

Invocation understood(std::vector<std::string> arguments) {
    const auto parsed = parse(std::move(arguments));
    REQUIRE(std::holds_alternative<Invocation>(parsed));
    return *std::get_if<Invocation>(&parsed);
}

/// Has words in `language`: those of the locales, or of a row of the catalogue with a translation.
bool is_worded(Language language, std::string_view key_or_text) {
    return i18n::has_key(language, key_or_text) ||
           cli::command_text(Language::Chinese, key_or_text) != key_or_text;
}

}  // namespace

TEST_CASE("options may come before or after the command") {
    for (const auto& line : std::vector<std::vector<std::string>>{
             {"--home", "/tmp/h", "--json", "status"}, {"status", "--json", "--home", "/tmp/h"}}) {
        const auto invocation = understood(line);
        CHECK(invocation.command->name == "status");
        CHECK(invocation.json);
        CHECK(invocation.home.root == "/tmp/h");
        CHECK(invocation.hint("up") == "a2h --home /tmp/h up");
    }
}

TEST_CASE("a command still works under the name of an earlier version, which is noticed") {
    const auto former = understood({"mandate", "negotiate", "ag_seller", "w1"});
    CHECK(former.command->name == "mandate bargain");
    CHECK(former.former_name == "mandate negotiate");
    CHECK(former.value("WORKS") == "w1");
    CHECK(understood({"mandate", "bargain", "ag_seller", "w1"}).former_name.empty());
}

TEST_CASE("an unknown command is answered with the one that was meant") {
    const auto failure = refused({"aprove", "apr_1"});
    CHECK(failure.code == cli::kUsageCode);
    CHECK(failure.message.find("aprove") != std::string::npos);
    CHECK(failure.next.find("approve") != std::string::npos);
    CHECK(refused({"outbox", "lst"}).next.find("outbox list") != std::string::npos);
    CHECK(refused({"qwertyuiop"}).next.find("--help") != std::string::npos);
}

TEST_CASE("an unknown option is answered with the one that was meant") {
    const auto failure = refused({"approve", "apr_1", "--pin-stdn"});
    CHECK(failure.next.find("--pin-stdin") != std::string::npos);
}

TEST_CASE("the outbox commands print their help if the id is missing") {
    for (const char* name : {"requeue", "drop"}) {
        const cli::Invocation invocation = understood({"outbox", name});
        const cli::Outcome outcome = invocation.command->run(invocation);
        const auto* failure = std::get_if<cli::Failure>(&outcome);
        REQUIRE(failure != nullptr);
        CHECK(failure->code == cli::kUsageCode);
        CHECK(failure->next.find("a2h outbox " + std::string(name) + " [ID]") != std::string::npos);
        CHECK(failure->next.find("--held") != std::string::npos);
    }
}

TEST_CASE("missing and superfluous arguments are named") {
    CHECK(refused({"send", "ag_x"}).message.find("TEXT") != std::string::npos);
    CHECK(refused({"send", "ag_x", "two", "words"}).message.find("words") != std::string::npos);
    CHECK(refused({"inbox", "--limit"}).code == cli::kUsageCode);
}

TEST_CASE("behind -- everything is text") {
    CHECK(understood({"send", "ag_x", "--", "--json"}).value("TEXT") == "--json");
    CHECK(refused({"send", "ag_x", "-5"}).code == cli::kUsageCode);
}

TEST_CASE("a group alone is its first member") {
    CHECK(understood({"outbox"}).command->name == "outbox list");
    CHECK(understood({"outbox", "--state", "dead"}).value("--state") == "dead");
    CHECK(understood({"outbox", "drop", "7"}).value("ID") == "7");
}

TEST_CASE("random command lines never crash the process") {
    for (const auto& line : std::vector<std::vector<std::string>>{{"--"},
                                                                  {"--", "up"},
                                                                  {"", ""},
                                                                  {"--home"},
                                                                  {"--state", "outbox", "list"},
                                                                  {"outbox", "--", "list"},
                                                                  {"send", "\xff", "\x1b[2J"},
                                                                  {"-x"}}) {
        CHECK_NOTHROW(parse(line));
    }
}

TEST_CASE("help names every command, in both languages") {
    for (const auto language : {Language::English, Language::Chinese}) {
        const auto parsed = parse({"--help"}, language);
        REQUIRE(std::holds_alternative<Print>(parsed));
        const std::string help = std::get_if<Print>(&parsed)->text;
        for (const auto& command : cli::commands()) {
            CAPTURE(command.name);
            CHECK(help.find(command.name) != std::string::npos);
            CHECK(is_worded(language, command.summary));
            for (const auto& parameter : command.parameters) {
                CHECK(is_worded(language, parameter.help));
            }
        }
    }
    const auto one = parse({"send", "--help"});
    REQUIRE(std::holds_alternative<Print>(one));
    CHECK(std::get_if<Print>(&one)->text.find("PEER TEXT") != std::string::npos);
}

TEST_CASE("--version prints name and version") {
    const auto parsed = parse({"--version"});
    REQUIRE(std::holds_alternative<Print>(parsed));
    CHECK(std::get_if<Print>(&parsed)->text.starts_with("a2h "));
}

TEST_CASE("no two rows have one name") {
    std::set<std::string_view> names;
    for (const auto& command : cli::commands())
        CHECK(names.insert(command.name).second);
}

TEST_CASE("the table of commands can be read by programs") {
    const auto parsed = parse({"--help", "--json"});
    REQUIRE(std::holds_alternative<Print>(parsed));
    const auto table = nlohmann::json::parse(std::get_if<Print>(&parsed)->text);
    CHECK(table["options"][0]["name"] == "--home");
    CHECK(table["commands"].size() == cli::commands().size());
    const auto& send = *std::ranges::find_if(
        table["commands"], [](const auto& command) { return command["name"] == "send"; });
    CHECK(send["parameters"][0]["name"] == "PEER");
    CHECK(send["parameters"][0]["kind"] == "required");
    CHECK(send["summary"] == i18n::text(Language::English, "cli.send"));
    const auto chinese = parse({"--json"}, Language::Chinese);
    CHECK(nlohmann::json::parse(std::get_if<Print>(&chinese)->text)["about"] ==
          i18n::text(Language::Chinese, "cli.about"));
}
