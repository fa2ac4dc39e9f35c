#include <doctest/doctest.h>

#include <fstream>
#include <iterator>

#include "daemon/decide/rules.h"
#include "tests/support/built_in_rules.h"
#include "tests/support/temp_dir.h"
#include "tests/unit/decide/fixtures.h"

using namespace a2h;
using namespace a2h::decide;

namespace {

RuleSet owners(const std::string& text) {
    auto rules = RuleSet::with_owners("version = 1\n" + text, "own.toml");
    REQUIRE_MESSAGE(rules.has_value(), (rules.has_value() ? "" : rules.error().message));
    return std::move(rules).value();
}

std::string owners_error(const std::string& text) {
    const auto rules = RuleSet::with_owners("version = 1\n" + text, "own.toml");
    return rules.has_value() ? std::string("no error") : rules.error().message;
}

std::string own_rule(const std::string& id, const std::string& lines) {
    return "[[rule]]\nid = \"" + id + "\"\nwhy = { en = \"mine\", zh = \"自己的\" }\n" + lines +
           "\n";
}

Decision decide_with(const RuleSet& rules, std::string_view text) {
    return decide::decide(input_with(text), rules, Limits{});
}

}  // namespace

TEST_CASE("an owner's rule is tried before the built-in ones") {
    const RuleSet rules = owners(own_rule(
        "own.thanks", "when = { says = \"thanks\" }\naction = \"ask\"\nask = \"unknown\""));
    const Decision decision = decide_with(rules, "Thank you!");
    CHECK(decision.rule_id == "own.thanks");
    CHECK(decision.why == "mine");
    CHECK(decide_with(rules, "What's the price?").rule_id == "question.listing_states");
}

TEST_CASE("R46: an owner's rule that ignores a message does not say that nothing is open") {
    const std::string silent = "when = { says = \"thanks\" }\naction = \"silent\"";
    for (const char* id : {"courtesy", "message.empty", "message.holding"}) {
        CHECK(decide_with(owners(own_rule(id, silent)), "Thank you!").rule_id ==
              "own." + std::string(id));
        const std::string off = "off = [\"" + std::string(id) + "\"]\n";
        CHECK(decide_with(owners(off + own_rule(id, silent)), "Thank you!").rule_id ==
              "own." + std::string(id));
    }
}

TEST_CASE("the topic of a rule says what its question is about, and its id does not") {
    const auto about = [](const char* id, const char* topic) {
        const RuleSet rules = owners(own_rule(id,
                                              "when = { says = \"thanks\" }\naction = \"ask\"\n"
                                              "ask = \"" +
                                                  std::string(topic) + "\""));
        return decide_with(rules, "Thank you!").about;
    };
    for (const char* topic : {"offer", "offer_unclear", "deal", "ending"})
        CHECK(about("own.thanks", topic) == About::Terms);
    for (const char* id : {"offer.thanks", "deal.thanks", "question.thanks"})
        CHECK(about(id, "haggle") == About::Other);
    CHECK(about("own.thanks", "unanswered") == About::Facts);
}

TEST_CASE("a rule with the id of a built-in rule replaces it") {
    const RuleSet rules = owners(
        own_rule("courtesy", "when = { says = \"thanks\" }\naction = \"ask\"\nask = \"unknown\""));
    CHECK(decide_with(rules, "Thank you!").why == "mine");
    // It stands where ours stood: payments come first.
    CHECK(decide_with(rules, "I have paid, thank you!").rule_id == "payment.claimed");
}

TEST_CASE("an owner switches built-in rules off by their id") {
    const RuleSet rules = owners("off = [\"question.listing_states\"]\n");
    CHECK(kind_without_drafter(decide_with(rules, "What's the price?")) == "ask");
    const std::string wrong = owners_error("off = [\"courtsey\"]\n");
    CHECK_MESSAGE(
        wrong.find("own.toml:2: off names an unknown built-in rule: courtsey; did you mean "
                   "courtesy?") != std::string::npos,
        wrong);
}

TEST_CASE("an owner's words come on top of ours, and lists of one's own are for one's own rules") {
    CHECK(decide_with(built_in_rules(), "Blimey!").rule_id == "message.unknown");
    CHECK(decide_with(owners("[words.acknowledgement]\nen = [\"blimey\"]\n"), "Blimey!").rule_id ==
          "courtesy");
    const RuleSet rules = owners("[words.wildlife]\nen = [\"otter\"]\nzh = [\"水獭\"]\n" +
                                 own_rule("own.wildlife",
                                          "when = { says = \"wildlife\" }\n"
                                          "action = \"silent\""));
    CHECK(decide_with(rules, "An otter!").rule_id == "own.wildlife");
    CHECK(decide_with(rules, "水獭").rule_id == "own.wildlife");
}

TEST_CASE("an owner's synonyms join one built-in group, never two") {
    CHECK(decide_with(built_in_rules(), "Do you make blorbs?").kind != Kind::Answer);
    CHECK(decide_with(owners("same = [[\"ppt\", \"blorbs\"]]\n"), "Do you make blorbs?").kind ==
          Kind::Answer);
    const std::string wrong = owners_error("same = [[\"ppt\", \"logo\"]]\n");
    CHECK_MESSAGE(wrong.find("own.toml:2: same has") != std::string::npos, wrong);
}

TEST_CASE("phrases of a rule hold for texts of their language") {
    const RuleSet rules =
        owners(own_rule("own.student",
                        "when = { phrases = { en = [\"student discount\"], zh = [\"学生价\"] } }\n"
                        "action = \"ask\"\nask = \"haggle\""));
    CHECK(decide_with(rules, "Do you have a student discount?").rule_id == "own.student");
    CHECK(decide_with(rules, "请问有没有学生价").rule_id == "own.student");
    CHECK(decide_with(rules, "Our studently discount").rule_id != "own.student");
    const RuleSet english = owners(
        own_rule("own.deluxe", "when = { phrases = { en = [\"deluxe\"] } }\naction = \"silent\""));
    CHECK(decide_with(english, "deluxe please").rule_id == "own.deluxe");
    CHECK(decide_with(english, "我想要豪华的 deluxe 版本").rule_id != "own.deluxe");
}

TEST_CASE("several rules may look for the same phrase, and for one within another") {
    const RuleSet rules = owners(
        own_rule("own.a",
                 "when = { phrases = \"night\", language = \"zh\" }\n"
                 "action = \"silent\"") +
        own_rule("own.b", "when = { phrases = [\"late night show\"] }\naction = \"silent\"") +
        own_rule("own.c", "when = { phrases = [\"night\"] }\naction = \"silent\""));
    CHECK(decide_with(rules, "the late night show").rule_id == "own.b");
    CHECK(decide_with(rules, "the night show").rule_id == "own.c");
}

TEST_CASE("rules can use who writes and in which language") {
    const RuleSet rules = owners(own_rule("own.new",
                                          "when = { contact = [\"new\"], language = \"en\" }\n"
                                          "action = \"ask\"\nask = \"unknown\""));
    CHECK(rules.needs_contact());
    CHECK_FALSE(built_in_rules().needs_contact());
    Input input = input_with("What's the price?");
    CHECK(decide::decide(input, rules, Limits{}).rule_id == "own.new");
    input.contact = ContactState::Known;
    CHECK(decide::decide(input, rules, Limits{}).kind == Kind::Answer);
    CHECK(decide_with(rules, "多少钱？").kind == Kind::Answer);
    const std::string wrong =
        owners_error(own_rule("own.new", "when = { contact = \"knwon\" }\naction = \"silent\""));
    CHECK_MESSAGE(wrong.find("did you mean known?") != std::string::npos, wrong);
}

TEST_CASE("rules can use how a mandate judges an amount, without revealing it to the peer") {
    const auto rule = [](const std::string& fit, const std::string& more) {
        return own_rule("own." + fit,
                        "when = { mandate = [\"" + fit + "\"], amount = \"exact\" }\n" + more);
    };
    const std::string ask = "action = \"ask\"\nask = \"offer\"";
    const RuleSet rules = owners(rule("within", ask) + rule("outside", ask));
    CHECK(rules.needs_mandates());
    CHECK_FALSE(built_in_rules().needs_mandates());
    Input input = input_with("Would you take 270 CNY?", "ppt");
    const auto decided = [&] { return decide::decide(input, rules, Limits{}).rule_id; };
    CHECK(decided() == "offer.made");
    input.mandates = {{"", "", "CNY", 26'000, 30'000}};
    CHECK(decided() == "own.within");
    input.mandates[0].from_minor = 27'001;
    CHECK(decided() == "own.outside");
    input.mandates[0].currency = "USD";
    CHECK(decided() == "offer.made");
    input.mandates[0] = {"ag_another", "", "CNY", 1, 30'000};
    CHECK(decided() == "offer.made");
    input.mandates[0] = {"", "works_of_nobody", "CNY", 1, 30'000};
    CHECK(decided() == "offer.made");
    input.mandate_fit = MandateFit::Within;
    CHECK(decided() == "own.within");

    for (const char* shows : {"action = \"silent\"", "action = \"answer\"",
                              "action = \"ask\"\nask = \"offer\"\nholding = true",
                              "action = \"ask\"\nask = \"offer\"\ndraft = true"}) {
        CAPTURE(shows);
        const std::string wrong = owners_error(rule("within", shows));
        CHECK_MESSAGE(wrong.find("the peer would learn the limit") != std::string::npos, wrong);
    }
    const std::string wrong = owners_error(rule("whithin", ask));
    CHECK_MESSAGE(wrong.find("did you mean within?") != std::string::npos, wrong);
}

TEST_CASE("an owner's file may hold words and rules only, and errors name its line") {
    CHECK(owners_error("plain_offer = [\"whatever\"]\n")
              .find("own.toml:2: unknown section "
                    "plain_offer") == 0);
    CHECK(owners_error("[currency]\nCNY = [\"points\"]\n").find("unknown section currency") !=
          std::string::npos);
    CHECK(owners_error("[words.ask_price]\nfact = \"method\"\n").find("own.toml:3: ") == 0);
    CHECK(owners_error("rule = 3\n").find("own.toml:2: rule must be [[rule]] sections") == 0);
    CHECK(owners_error(own_rule("x", "action = \"silent\"\ndraft = true"))
              .find("draft is allowed only in rules that ask") != std::string::npos);
    const auto old = RuleSet::with_owners("version = 2\n", "own.toml");
    REQUIRE_FALSE(old.has_value());
    CHECK(old.error().message == "own.toml:1: version must be 1");
}

TEST_CASE("lists of words and rules have a limit, in an owner's file too") {
    std::string lists;
    for (int k = 0; k < 64; ++k)
        lists += "[words.own_" + std::to_string(k) + "]\nen = [\"w" + std::to_string(k) + "x\"]\n";
    CHECK(owners_error(lists).find("more than 64 lists of words") != std::string::npos);
    std::string many;
    for (std::size_t k = 0; k <= RuleSet::kOwnersRulesMax; ++k)
        many += own_rule("r" + std::to_string(k), "action = \"silent\"");
    CHECK(owners_error(many) == "more than 5000 rules");
}

TEST_CASE("no rule of an owner lets anything leave that only a human may say") {
    const RuleSet rules = owners("off = [\"offer.made\", \"deal.wanted\", \"payment.claimed\"]\n" +
                                 own_rule("own.reckless", "action = \"answer\""));
    for (const char* text : {"I'll take it for 200 CNY. What's the price?",
                             "Deal! What's the price? Confirm 100 CNY."}) {
        const Decision decision = decide_with(rules, text);
        CHECK_MESSAGE(decision.kind != Kind::Answer, text);
    }
    const Input input = input_with("Deal! What's the price?");
    const Decision decision = decide::decide(input, rules, Limits{});
    CHECK((decision.kind != Kind::Answer || review_text(decision.reply_text, input.listings).free));
}

TEST_CASE("a version is that of all words and rules that decide") {
    const RuleSet plain = owners("");
    CHECK(plain.version().size() == 16);
    CHECK(plain.version() == owners("").version());
    CHECK(plain.version() != built_in_rules().version());
    CHECK(plain.version() != owners("off = [\"courtesy\"]\n").version());
}

TEST_CASE("the owner's file is read from the home; without it built-in rules decide") {
    const test::TempDir folder;
    const auto file = folder.path() / "rules.toml";
    auto ours = RuleSet::load(file);
    REQUIRE(ours.has_value());
    CHECK(ours->version() == built_in_rules().version());
    std::ofstream(file) << "version = 1\n" << own_rule("own.all", "action = \"silent\"");
    auto loaded = RuleSet::load(file);
    REQUIRE(loaded.has_value());
    CHECK(decide_with(*loaded, "What's the price?").rule_id == "own.all");
    std::ofstream(file) << std::string(RuleSet::kOwnersFileBytesMax + 1, '#');
    const auto large = RuleSet::load(file);
    REQUIRE_FALSE(large.has_value());
    CHECK(large.error().code == ErrorCode::ResourceExhausted);
    const auto no_file = RuleSet::load(folder.path());
    REQUIRE_FALSE(no_file.has_value());
    CHECK(no_file.error().code == ErrorCode::Unavailable);
}

TEST_CASE("the example of the manual is a file of rules that holds") {
    std::ifstream in(std::string(A2H_SOURCE_DIR) + "/docs/playbooks.md");
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const std::size_t begin = text.find("```toml\n") + 8;
    const std::string example = text.substr(begin, text.find("```", begin) - begin);
    const auto rules = RuleSet::with_owners(example, "example.toml");
    REQUIRE_MESSAGE(rules.has_value(), (rules.has_value() ? "" : rules.error().message));
    CHECK(rules->owners_rule_count() == 2);
    CHECK(decide_with(*rules, "Is there a student discount?").rule_id == "own.students");
    const Decision decision = decide_with(*rules, "Who was your first customer?");
    CHECK(decision.rule_id == "question.open");
    CHECK_FALSE(decision.holding_text.empty());
}
