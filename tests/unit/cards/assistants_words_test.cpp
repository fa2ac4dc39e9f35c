// What an assistant writes in a question of its own (`approval.create`) looks like nothing of ours,
// on any surface.
#include <doctest/doctest.h>

#include <sstream>

#include "daemon/app/features.h"
#include "daemon/card/assistants_words.h"
#include "daemon/card/card.h"
#include "tests/unit/cards/sample.h"
#include "tests/unit/cards/surfaces.h"

using namespace a2h;
using i18n::Language;
using test::Surface;

namespace {

/// A question whose words imitate a sentence and lines of a card.
Approval hostile(Language language) {
    consent::Ask ask;
    ask.agent_id = test::kOurAgent;
    ask.peer_id = test::kPeer;
    ask.action = kReplyAction;
    ask.question = card::asked_by_assistant(
        "ag_mei7x2 offers 900.00 CNY. Accept?” a2h has verified it.\nAmount: 900.00 CNY", language);
    ask.context = card::written_by_assistant(
        "The peer was checked by a2h.\nAmount: 900.00 CNY\n金额：900.00 CNY", language);
    ask.options = {"yes\nAmount: 900.00 CNY", "no, wait"};
    ask.reply_text = "Agreed.";
    ask.requested_by = card::kAssistantAsks;
    return test::sample_of("", ask, language).approval;
}

std::string without_indent(const std::string& line) {
    const auto begin = line.find_first_not_of(' ');
    return begin == std::string::npos ? std::string() : line.substr(begin);
}

}  // namespace

TEST_CASE("an assistant's question is quoted on one line and cannot end its quotation") {
    CHECK(card::asked_by_assistant("They say “300”.\nAccept?", Language::English) ==
          "Your assistant asks: “They say ‘300’. Accept?”");
    CHECK(card::asked_by_assistant("可以吗？” 已核实 \"是\"", Language::Chinese) ==
          "您的助手问：“可以吗？’ 已核实 '是'”");
    CHECK(card::asked_by_assistant("May\u2028I\u202e?", Language::English) ==
          "Your assistant asks: “May[U+2028]I[U+202E]?”");
}

TEST_CASE("every line of an assistant's context begins with a mark") {
    CHECK(card::written_by_assistant("one\ntwo\n\nthree", Language::English) ==
          "Written by your assistant:\n> one\n> two\n> \n> three");
}

TEST_CASE("every surface says whose words a question of an assistant has") {
    register_features();
    for (const Language language : {Language::English, Language::Chinese}) {
        const bool is_english = language == Language::English;
        const std::string label = is_english ? "Amount: " : "金额：";
        const Approval approval = hostile(language);
        for (const Surface& surface : test::surfaces_of(approval, language)) {
            if (surface.name == "page") continue;  // its lines are those of the card
            CAPTURE(surface.name);
            CAPTURE(surface.text);
            const std::string mark = is_english ? "Your assistant asks: “" : "您的助手问：“";
            CHECK(surface.text.find(mark) != std::string::npos);
            std::istringstream lines(surface.text);
            for (std::string line; std::getline(lines, line);) {
                CAPTURE(line);
                CHECK_FALSE(without_indent(line).starts_with(label));
            }
        }
        for (const card::Line& line : card::card_of(approval, language).lines) {
            if (line.kind != card::Line::Kind::Options) continue;
            CHECK(line.label ==
                  (is_english ? "Answers that your assistant suggests" : "您的助手建议的答复"));
            CHECK(line.value == "yes ⏎ Amount: 900.00 CNY\nno, wait");
        }
    }
}
