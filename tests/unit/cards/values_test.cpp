// What a card shows of values: different ones look different, and none adds a line.
#include <doctest/doctest.h>

#include <set>

#include "daemon/card/card.h"
#include "daemon/trade/questions.h"
#include "tests/unit/cards/sample.h"
#include "tests/unit/cards/surfaces.h"

using namespace a2h;
using i18n::Language;
using nlohmann::json;

namespace {

std::string value_shown(const json& value, Language language) {
    const auto lines = card::lines_of({{"title", value}}, language);
    REQUIRE(lines.size() == 1);
    return lines[0].value;
}

Approval for_two_of_three(Language language) {
    consent::Ask ask;
    ask.agent_id = test::kOurAgent;
    ask.peer_id = test::kPeer;
    ask.action = kReplyAction;
    ask.question = "Agree?";
    ask.reply_text = "Agreed.";
    ask.requested_by = "rule:offer";
    Approval approval = test::sample_of("", ask, language).approval;
    approval.voters = {"human", "anna", "bert"};
    approval.votes_needed = 2;
    return approval;
}

}  // namespace

TEST_CASE("values of different types are shown differently") {
    const std::vector<json> values{
        true, "yes",   "是",          "\"yes\"",      5,         "5",      "\"5\"",  5.5,   "5.5",
        "",   nullptr, json::array(), json::object(), "(empty)", "（空）", "(none)", false, "no",
        "-1", -1,      "1e3"};
    for (const Language language : {Language::English, Language::Chinese}) {
        std::set<std::string> shown;
        for (const json& value : values)
            shown.insert(value_shown(value, language));
        CHECK(shown.size() == values.size());
    }
    CHECK(value_shown("5", Language::English) == "\"5\"");
    CHECK(value_shown("5 hours", Language::English) == "5 hours");
}

TEST_CASE("an element of a list keeps to one line") {
    const auto lines =
        card::lines_of({{"conditions", {"one\nAmount: 1.00 CNY", "two"}}}, Language::English);
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].value == "one ⏎ Amount: 1.00 CNY\ntwo");
}

TEST_CASE("a tab does not look like spaces") {
    CHECK(value_shown("one\ttwo", Language::English) == "one[U+0009]two");
}

TEST_CASE("a question for several people says on every surface how many have to say yes") {
    for (const Language language : {Language::English, Language::Chinese}) {
        Approval approval = for_two_of_three(language);
        const bool is_english = language == Language::English;
        const auto surfaces = test::surfaces_of(approval, language);
        for (const test::Surface& surface : surfaces) {
            if (surface.name == "one of several questions in a message") continue;  // has a link
            CAPTURE(surface.name);
            CAPTURE(surface.text);
            const std::string said = is_english
                                         ? "This needs a yes from 2 of these people: the owner,"
                                         : "需要以下人员中 2 人同意：主人、";
            CHECK(surface.text.find(said) != std::string::npos);
        }
        approval.asked_by = "anna";  // who does not count
        for (const card::Line& line : card::card_of(approval, language).lines) {
            if (line.kind != card::Line::Kind::Votes) continue;
            CHECK(line.value.find(is_english ? ": the owner, bert. anna asked"
                                             : "：主人、bert。anna") != std::string::npos);
        }
    }
}

TEST_CASE("a change of a listing names the price only if it changes") {
    trade::Facts facts;
    facts.title = "Portraits";
    CHECK(trade::question("works.update", {}, facts, Language::English) ==
          "Change the listing “Portraits” as shown?");
    facts.price = "280 CNY";
    CHECK(trade::question("works.update", {}, facts, Language::English) ==
          "Change the listing “Portraits” as shown (280 CNY)?");
    facts.price.clear();
    CHECK(trade::question("works.publish", {}, facts, Language::English).find("no price named") !=
          std::string::npos);
}
