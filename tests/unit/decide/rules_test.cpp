#include <doctest/doctest.h>

#include <sstream>

#include "daemon/decide/rules.h"
#include "embedded/playbooks.h"
#include "tests/unit/decide/fixtures.h"

using namespace a2h;
using namespace a2h::decide;

namespace {

std::string built_in() {
    return std::string(embedded::playbooks("rules.toml").value());
}

/// The message of the error that the built-in playbook gives with `text` at its end.
std::string error_with(const std::string& text) {
    const auto rules = RuleSet::parse(built_in() + "\n" + text, "my.toml");
    return rules.has_value() ? std::string("no error") : rules.error().message;
}

std::string error_replacing(const std::string& what, const std::string& with) {
    std::string text = built_in();
    const std::size_t at = text.find(what);
    REQUIRE(at != std::string::npos);
    const auto rules = RuleSet::parse(text.replace(at, what.size(), with), "my.toml");
    return rules.has_value() ? std::string("no error") : rules.error().message;
}

void check_contains(const std::string& message, const std::string& part) {
    CHECK_MESSAGE(message.find(part) != std::string::npos, message);
}

std::string rule_with(const std::string& lines) {
    return "[[rule]]\nid = \"mine\"\nwhy = { en = \"a\", zh = \"b\" }\n" + lines;
}

/// The built-in words with `rules` as the only rules.
RuleSet only_rules(const std::string& rules) {
    const std::string text = built_in();
    auto parsed = RuleSet::parse(text.substr(0, text.find("[[rule]]")) + rules, "my.toml");
    REQUIRE_MESSAGE(parsed.has_value(), (parsed.has_value() ? "" : parsed.error().message));
    return std::move(parsed).value();
}

}  // namespace

TEST_CASE("an error in a playbook names file and line") {
    const auto rules = RuleSet::parse("version = 1\nversion = 2\n", "my.toml");
    REQUIRE_FALSE(rules.has_value());
    CHECK(rules.error().code == ErrorCode::InvalidArgument);
    check_contains(rules.error().message, "my.toml:2: ");
}

TEST_CASE("an unknown name in a playbook is refused with the nearest known one") {
    check_contains(error_with(rule_with("action = \"silnt\"")), "did you mean silent?");
    check_contains(error_with(rule_with("acton = \"silent\"")), "did you mean action?");
    check_contains(error_with(rule_with("action = \"silent\"\nwhen = { says = \"thank\" }")),
                   "did you mean thanks?");
    check_contains(error_with(rule_with("action = \"silent\"\nwhen = { say = \"thanks\" }")),
                   "did you mean says?");
    check_contains(error_with(rule_with("action = \"silent\"\nwhen = { has = \"payment_q\" }")),
                   "did you mean payment_qr?");
    check_contains(error_with("[extra]\nx = 1\n"), "unknown section extra");
}

TEST_CASE("a wrong or missing field of a rule is refused by name") {
    check_contains(error_with("[[rule]]\naction = \"silent\"\n"), "id is missing");
    check_contains(error_with(rule_with("")), "action is missing");
    check_contains(error_with("[[rule]]\nid = \"mine\"\naction = \"silent\"\n"), "why is missing");
    check_contains(error_with(rule_with("action = \"ask\"")), "ask is missing");
    check_contains(error_with(rule_with("action = \"ask\"\nask = \"weather\"")),
                   "ask names an unknown topic: weather");
    check_contains(error_with(rule_with("action = \"silent\"\nholding = 1")),
                   "holding must be true or false");
    check_contains(error_with(rule_with("action = \"silent\"\nwhen = { repeated = 1 }")),
                   "repeated must be true or false");
    check_contains(error_with(rule_with("action = \"silent\"\nwhen = { longer_than = -1 }")),
                   "longer_than must be a whole number");
    check_contains(error_with(rule_with("action = \"silent\"\nwhen = { says = 7 }")),
                   "says must be a list of texts");
    check_contains(error_with("[[rule]]\nid = \"courtesy\"\nwhy = \"decide.why.courtesy\"\n"
                              "action = \"silent\"\n"),
                   "rule courtesy occurs twice");
    check_contains(error_replacing("why = \"decide.why.repeated\"", "why = \"decide.why.nothing\""),
                   "why names an unknown text");
}

TEST_CASE("a playbook without what the code needs is refused") {
    check_contains(error_replacing("version = 1", "version = 2"), "version must be 1");
    const std::string text = built_in();
    const auto no_rules = RuleSet::parse(text.substr(0, text.find("[[rule]]")), "my.toml");
    REQUIRE_FALSE(no_rules.has_value());
    check_contains(no_rules.error().message, "no [[rule]] is given");
}

TEST_CASE("the first rule whose conditions all hold decides, and says why in its own words") {
    const RuleSet rules = only_rules(
        "[[rule]]\nid = \"first\"\nwhen = { says = \"thanks\", provenance = \"vouched\" }\n"
        "action = \"ask\"\nask = \"unanswered\"\ndraft = true\nwhy = { en = \"one\", zh = \"一\" "
        "}\n"
        "[[rule]]\nid = \"second\"\nwhen = { says = \"thanks\" }\naction = \"silent\"\n"
        "why = { en = \"two\", zh = \"二\" }\n");
    Input input = input_with("thanks");
    CHECK(decide::decide(input, rules, Limits{}).rule_id == "second");
    input.message.provenance = Provenance::Vouched;
    input.owner_language = i18n::Language::Chinese;
    const Decision decision = decide::decide(input, rules, Limits{});
    CHECK(decision.kind == Kind::NeedsDraft);
    CHECK(decision.why == "一");
    CHECK_FALSE(decision.question.empty());
}

TEST_CASE("rules can use counts, source, length and kind of a message") {
    const std::string end = "action = \"silent\"\nwhy = { en = \"a\", zh = \"b\" }\n";
    const RuleSet rules =
        only_rules("[[rule]]\nid = \"rounds\"\nwhen = { rounds_at_least = 5 }\n" + end +
                   "[[rule]]\nid = \"rate\"\nwhen = { per_minute_at_least = 10 }\n" + end +
                   "[[rule]]\nid = \"platform\"\nwhen = { source = \"platform\" }\n" + end +
                   "[[rule]]\nid = \"long\"\nwhen = { longer_than = 3 }\n" + end +
                   "[[rule]]\nid = \"chat\"\nwhen = { message_type = \"chat.request\", "
                   "lacks = \"attachment\", listing = \"one\" }\n" +
                   end);
    Input input = input_with("abc");
    CHECK(decide::decide(input, rules, Limits{}).rule_id == "chat");
    input.payload.text = "一二三四";
    CHECK(decide::decide(input, rules, Limits{}).rule_id == "long");
    input.message.source = SourceClass::Platform;
    CHECK(decide::decide(input, rules, Limits{}).rule_id == "platform");
    input.messages_last_minute = 10;
    CHECK(decide::decide(input, rules, Limits{}).rule_id == "rate");
    input.answers_last_day = 5;
    CHECK(decide::decide(input, rules, Limits{}).rule_id == "rounds");
}

TEST_CASE("a message that claims to be a market's is neither answered nor asked about") {
    const RuleSet rules = only_rules(
        "[[rule]]\nid = \"reckless\"\naction = \"answer\"\n"
        "why = { en = \"a\", zh = \"b\" }\n");
    Input input = input_with("what's the price?");
    REQUIRE(decide::decide(input, rules, Limits{}).kind == Kind::Answer);
    input.message.sender_id = "market_0badf00d";
    const Decision decision = decide::decide(input, rules, Limits{});
    CHECK(decision.kind == Kind::Silent);
    CHECK(decision.rule_id == "guard.platform");
}

TEST_CASE("a message that no rule covers is a question to the human") {
    const RuleSet rules = only_rules(
        "[[rule]]\nid = \"never\"\nwhen = { says = \"paid\" }\naction = \"silent\"\n"
        "why = { en = \"a\", zh = \"b\" }\n");
    const Decision decision = decide::decide(input_with("what's the price?"), rules, Limits{});
    CHECK(decision.kind == Kind::Ask);
    CHECK(decision.rule_id == "fallback");
    CHECK_FALSE(decision.question.empty());
}

TEST_CASE("a playbook cannot make an answer of an offer, order or payment code") {
    const RuleSet rules = only_rules(
        "[[rule]]\nid = \"reckless\"\naction = \"answer\"\n"
        "why = { en = \"a\", zh = \"b\" }\n");
    Input input = input_with("what's the price?");
    CHECK(decide::decide(input, rules, Limits{}).kind == Kind::Answer);
    input.payload.payment_qr = "https://pay.example/qr.png";
    CHECK(decide::decide(input, rules, Limits{}).kind == Kind::Ask);
    input = input_with("what's the price? 200 CNY?");
    CHECK(decide::decide(input, rules, Limits{}).kind == Kind::Ask);
    input = input_with("what's the price of WKS0123456789abcdef0123456789abcdef?");
    CHECK(decide::decide(input, rules, Limits{}).kind == Kind::Ask);
}
