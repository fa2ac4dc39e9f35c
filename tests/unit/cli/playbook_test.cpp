#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/temp_dir.h"
#include "tests/unit/cli/run_command.h"

using namespace a2h;
using nlohmann::json;

namespace {

/// A command line in a home of its own, where no daemon runs.
class Line {
  public:
    Line() { invocation.home.root = folder_.path(); }

    std::string file(const std::string& name, const std::string& text) {
        const auto path = folder_.path() / name;
        std::ofstream(path) << text;
        return path.string();
    }
    Line& with(const std::string& name, const std::string& value) {
        invocation.values[name] = value;
        return *this;
    }

    cli::Invocation invocation;

  private:
    test::TempDir folder_;
};

json good_data(const cli::Outcome& outcome) {
    const auto* report = std::get_if<cli::Report>(&outcome);
    REQUIRE_MESSAGE(report != nullptr, std::get_if<cli::Failure>(&outcome)->message);
    return cli::data_of(*report);
}

std::string message_of(const cli::Outcome& outcome) {
    const auto* failure = std::get_if<cli::Failure>(&outcome);
    REQUIRE(failure != nullptr);
    return failure->message;
}

constexpr const char* kListings = R"([{"works_id": "w1", "title": "Logo design",
    "content": "Simple marks.", "expected_price": "280 CNY"}])";

constexpr const char* kOwnRule =
    "version = 1\n[[rule]]\nid = \"own.otter\"\nwhen = { phrases = [\"otter\"] }\n"
    "action = \"silent\"\nwhy = { en = \"otters\", zh = \"水獭\" }\n";

}  // namespace

TEST_CASE("a file of rules is checked without a daemon, and an error names its line") {
    Line line;
    CHECK(good_data(test::run_command("playbook check", line.invocation))["own_rules"] == 0);
    line.file("rules.toml", kOwnRule);
    CHECK(good_data(test::run_command("playbook check", line.invocation))["own_rules"] == 1);
    line.with("FILE", line.file("wrong.toml", "version = 1\n[[rule]]\nid = \"a\"\nacton = 3\n"));
    const std::string wrong = message_of(test::run_command("playbook check", line.invocation));
    CHECK_MESSAGE(wrong.find("wrong.toml:4: unknown field of a rule acton; did you mean action?") !=
                      std::string::npos,
                  wrong);
    line.with("FILE", "/nowhere/rules.toml");
    CHECK(message_of(test::run_command("playbook check", line.invocation))
              .find("/nowhere/rules.toml") != std::string::npos);
}

TEST_CASE("the decision about a text is explained rule by rule") {
    Line line;
    line.with("TEXT", "What's the price?").with("--listings", line.file("l.json", kListings));
    const json data = good_data(test::run_command("playbook explain", line.invocation));
    CHECK(data["decision"] == "answer");
    CHECK(data["rule_id"] == "question.listing_states");
    CHECK(data["reading"]["asks"] == json::array({"price"}));
    CHECK(data["reading"]["listings"] == json::array({"w1"}));
    CHECK(data["reply"].get<std::string>().find("280 CNY") != std::string::npos);
    REQUIRE(data["looked_at"].size() > 10);
    const json first = data["looked_at"][0];
    CHECK(first["rule_id"] == "message.repeated");
    CHECK(first["condition"] == "repeated");
    CHECK(first["wanted"] == "true");
    CHECK(first["found"] == "false");
    line.with("TEXT", "What's the \xE4\xBB price?");
    CHECK(std::holds_alternative<cli::Report>(
        test::run_command("playbook explain", line.invocation)));
    line.with("TEXT", "What's the price?");
    line.invocation.language = i18n::Language::Chinese;
    const auto outcome = test::run_command("playbook explain", line.invocation);
    const std::string& text = std::get_if<cli::Report>(&outcome)->text;
    CHECK(text.find("message.repeated：repeated 应为 true，实为 false") != std::string::npos);
    CHECK(text.find("由 question.listing_states 决定：answer") != std::string::npos);
}

TEST_CASE("a rule that may not decide is distinguished from one that does not match") {
    Line line;
    line.file("rules.toml",
              "version = 1\n[[rule]]\nid = \"own.reckless\"\naction = \"answer\"\n"
              "why = { en = \"a\", zh = \"b\" }\n");
    line.with("TEXT", "I'll pay 200 CNY").with("--listings", line.file("l.json", kListings));
    const json data = good_data(test::run_command("playbook explain", line.invocation));
    CHECK(data["looked_at"][0] ==
          json({{"rule_id", "own.reckless"}, {"condition", ""}, {"wanted", ""}, {"found", ""}}));
    CHECK(data["decision"] == "ask");
}

TEST_CASE("a negated condition is explained as negated, in both languages") {
    Line line;
    line.file("rules.toml",
              "version = 1\n"
              "[[rule]]\nid = \"own.a\"\nwhen = { message_type_not = [\"chat.request\"] }\n"
              "action = \"silent\"\nwhy = { en = \"a\", zh = \"b\" }\n"
              "[[rule]]\nid = \"own.b\"\nwhen = { payload_type_not = [\"text\"] }\n"
              "action = \"silent\"\nwhy = { en = \"a\", zh = \"b\" }\n"
              "[[rule]]\nid = \"own.c\"\nwhen = { says_not = [\"greeting\"] }\n"
              "action = \"silent\"\nwhy = { en = \"a\", zh = \"b\" }\n"
              "[[rule]]\nid = \"own.d\"\nwhen = { lacks = [\"text\"] }\n"
              "action = \"silent\"\nwhy = { en = \"a\", zh = \"b\" }\n");
    line.with("TEXT", "Hello").with("--listings", line.file("l.json", kListings));
    const auto said = [&] {
        const auto outcome = test::run_command("playbook explain", line.invocation);
        return std::get_if<cli::Report>(&outcome)->text;
    };
    for (const auto* sentence :
         {"own.a: the message type must not be chat.request, but is chat.request",
          "own.b: the payload type must not be text, but is text",
          "own.c: the text must not have words of greeting, but has words of ",
          "own.d: the message must not have text, but it has text"})
        CHECK_MESSAGE(said().find(sentence) != std::string::npos, sentence);
    line.invocation.language = i18n::Language::Chinese;
    CHECK(said().find("own.a：消息类型不得为 chat.request，实为 chat.request") !=
          std::string::npos);
    CHECK(said().find("own.c：文本不得含有词表 greeting 中的词，实际命中 ") != std::string::npos);
}

TEST_CASE("without a daemon and without --listings the explanation says what it lacks") {
    Line line;
    line.with("TEXT", "What's the price?");
    const auto outcome = test::run_command("playbook explain", line.invocation);
    CHECK(std::get_if<cli::Report>(&outcome)->text.find("--listings") != std::string::npos);
}

TEST_CASE("labelled messages are tried, and one that is decided otherwise fails the command") {
    Line line;
    line.invocation.json = true;
    line.file("rules.toml", kOwnRule);
    line.with("--listings", line.file("l.json", kListings));
    const std::string right =
        "{\"text\": \"What's the price?\", \"kind\": \"answer\"}\n\n"
        "{\"text\": \"an otter\", \"kind\": \"silent\", \"rule\": \"own.otter\"}\n";
    line.with("FILE", line.file("right.jsonl", right));
    CHECK(good_data(test::run_command("playbook test", line.invocation))["right"] == 2);
    line.with("FILE",
              line.file("wrong.jsonl", right + "{\"id\": \"m3\", \"text\": \"How much is it?\", "
                                               "\"kind\": \"ask\"}\n"));
    const auto outcome = test::run_command("playbook test", line.invocation);
    REQUIRE(std::get_if<cli::Failure>(&outcome) != nullptr);
    const json envelope = json::parse(std::get_if<cli::Failure>(&outcome)->envelope);
    CHECK(envelope["ok"] == false);
    CHECK(envelope["data"]["messages"] == 3);
    CHECK(envelope["data"]["committed"] == 1);
    CHECK(envelope["data"]["misses"][0].get<std::string>().find(
              "m3: expected ask, decided answer") == 0);
}

TEST_CASE("a labelled message that cannot be read is named by its line") {
    Line line;
    line.with("FILE", line.file("m.jsonl", "{\"text\": \"hi\"}\n{\"txt\": \"hi\"}\n"));
    CHECK(message_of(test::run_command("playbook test", line.invocation))
              .find("m.jsonl:2: unknown field txt; did you mean text?") != std::string::npos);
    line.with("FILE", line.file("k.jsonl", "{\"text\": \"hi\", \"kind\": \"anser\"}\n"));
    CHECK(message_of(test::run_command("playbook test", line.invocation))
              .find("k.jsonl:1: kind must be silent, answer or ask") != std::string::npos);
    line.with("FILE", line.file("l.jsonl", "{\"text\": \"hi\", \"listings\": \"mine\"}\n"));
    CHECK(message_of(test::run_command("playbook test", line.invocation))
              .find("there are no listings named mine") != std::string::npos);
    line.with("--listings", line.file("wrong.json", "[{\"titel\": \"x\"}]"));
    CHECK(message_of(test::run_command("playbook test", line.invocation))
              .find("did you mean title?") != std::string::npos);
}
