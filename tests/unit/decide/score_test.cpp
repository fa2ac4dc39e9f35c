#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "daemon/decide/rules.h"
#include "tests/support/built_in_rules.h"
#include "tests/unit/decide/fixtures.h"

using namespace a2h;
using namespace a2h::decide;

namespace {

/// How the decisions of one labelled file compare with its labels.
struct Score {
    std::size_t messages = 0;
    std::size_t right = 0;
    /// Answered by rule although only a human may answer: this must never happen.
    std::vector<std::string> commitments;
    std::vector<std::string> wrong;
};

Score score(std::string_view file, const RuleSet& rules) {
    Score result;
    for (const nlohmann::json& line : golden_lines(file)) {
        const Input input = input_of(line);
        const Decision decision = a2h::decide::decide(input, rules, Limits{});
        const std::string kind(kind_without_drafter(decision));
        const std::string expected = line.at("kind");
        const std::string told = line["id"].get<std::string>() + " " + expected + " -> " + kind +
                                 " (" + decision.rule_id + ") [" +
                                 line["listings"].get<std::string>() + "] " +
                                 line["text"].get<std::string>();
        ++result.messages;
        if (kind == expected) ++result.right;
        if (kind != expected) result.wrong.push_back(told);
        const bool answered = decision.kind == Kind::Answer;
        const bool is_free = !answered || review_text(decision.reply_text, input.listings).free;
        if ((answered && expected == "ask") || !is_free) result.commitments.push_back(told);
    }
    return result;
}

/// Whether details of a file may be shown. Of the held-out one only totals are shown, even when it
/// fails: whoever tunes the rules must not learn from its messages.
enum class Detail { Lines, Totals };

/// Our rules over the words of no trade.
const RuleSet& rules_without_trades() {
    static const RuleSet rules = RuleSet::load({}, {.chosen = {}, .owners_folder = {}}).value();
    return rules;
}

void check_score(std::string_view file, Detail detail, std::size_t right_percent_min) {
    const Score result = score(file, built_in_rules());
    std::string lines;
    for (const std::string& told : result.commitments) {
        lines += "\nanswered without a yes: " + told;
    }
    for (const std::string& told : result.wrong) {
        lines += '\n' + told;
    }
    const Score without = score(file, rules_without_trades());
    for (const std::string& told : without.commitments) {
        lines += "\nanswered without a yes, without words of trades: " + told;
    }
    if (detail == Detail::Totals) lines.clear();
    MESSAGE(std::string(file), ": ", result.right, " of ", result.messages,
            ", commitments: ", result.commitments.size(), "; without words of trades ",
            without.right, ", commitments: ", without.commitments.size(), lines);
    CHECK(result.commitments.size() == 0);
    CHECK(result.right * 100 >= result.messages * right_percent_min);
    // A message that is not understood is asked about: fewer words never make an answer.
    CHECK(without.commitments.size() == 0);
}

}  // namespace

TEST_CASE("labelled messages get the right action, and none an answer that only a human may give") {
    SUBCASE("messages that the rules were tuned on") {
        check_score("corpus.jsonl", Detail::Lines, 99);
    }
    SUBCASE("messages that the rules were tuned on, by someone who had not seen them") {
        check_score("corpus2.jsonl", Detail::Lines, 99);
    }
    SUBCASE("messages written for each cause for which the others were missed") {
        check_score("corpus3.jsonl", Detail::Lines, 96);
    }
    SUBCASE("messages by someone else who had not seen the rules, tuned on since") {
        check_score("corpus4.jsonl", Detail::Lines, 95);
    }
    SUBCASE("messages that the author of the rules had not seen") {
        check_score("held_out.jsonl", Detail::Totals, 95);
    }
}

TEST_CASE("without any one trade no message gets an answer that only a human may give") {
    std::vector<Input> asked;
    for (const char* file : {"corpus2.jsonl", "corpus4.jsonl"}) {
        for (const nlohmann::json& line : golden_lines(file))
            if (line.at("kind") == "ask") asked.push_back(input_of(line));
    }
    for (const std::string& trade : reading::trade_names()) {
        CAPTURE(trade);
        const auto rules = RuleSet::load({}, {.chosen = {"all", "-" + trade}, .owners_folder = {}});
        REQUIRE(rules.has_value());
        const auto answered = std::count_if(asked.begin(), asked.end(), [&](const Input& input) {
            return a2h::decide::decide(input, *rules, Limits{}).kind == Kind::Answer;
        });
        CHECK(answered == 0);
    }
}
