#include <doctest/doctest.h>

#include "core/base/money.h"
#include "daemon/decide/rules.h"
#include "tests/support/built_in_rules.h"
#include "tests/unit/decide/fixtures.h"

using namespace a2h::decide;

namespace {

std::string label(const nlohmann::json& line) {
    return line.at("text").get<std::string>() + " [" + line.at("listings").get<std::string>() + "]";
}

bool has_han(std::string_view text) {
    return text.find("价格") != std::string_view::npos ||
           text.find("写明") != std::string_view::npos;
}

void check_decision(const nlohmann::json& line, const Decision& decision) {
    CAPTURE(label(line));
    CAPTURE(decision.rule_id);
    CAPTURE(decision.reply_text);
    CHECK(kind_without_drafter(decision) == line.at("kind").get<std::string>());
    if (line.contains("rule")) CHECK(decision.rule_id == line["rule"].get<std::string>());
    if (line.contains("amount")) {
        REQUIRE(decision.amount_minor.has_value());
        CHECK(a2h::to_text({*decision.amount_minor, decision.currency}) ==
              line["amount"].get<std::string>());
    }
    for (const auto& part : line.value("has", std::vector<std::string>())) {
        CHECK_MESSAGE(decision.reply_text.find(part) != std::string::npos, part);
    }
    for (const auto& part : line.value("lacks", std::vector<std::string>())) {
        CHECK_MESSAGE(decision.reply_text.find(part) == std::string::npos, part);
    }
    if (line.contains("language"))
        CHECK(has_han(decision.reply_text) == (line["language"] == "zh"));
    CHECK_FALSE(decision.why.empty());
}

void check_file(std::string_view file) {
    for (const nlohmann::json& line : golden_lines(file)) {
        check_decision(line, a2h::decide::decide(input_of(line), built_in_rules(), Limits{}));
    }
}

}  // namespace

TEST_CASE("questions that listings answer are answered in the peer's language") {
    check_file("answers.jsonl");
}

TEST_CASE("messages about money or commitments become questions") {
    check_file("questions.jsonl");
}

TEST_CASE("courtesy, repeats and loops are met with silence") {
    check_file("silence.jsonl");
}

TEST_CASE("an automatic answer passes the review of what leaves without a yes (R19)") {
    for (const nlohmann::json& line : golden_lines("answers.jsonl")) {
        const Input input = input_of(line);
        const Decision decision = a2h::decide::decide(input, built_in_rules(), Limits{});
        const Review review = review_text(decision.reply_text, input.listings);
        CHECK_MESSAGE(review.free, label(line), ": ", decision.reply_text, " - ",
                      review.reasons.empty() ? std::string() : review.reasons.front());
    }
}

TEST_CASE("a review frees facts and questions and holds back what commits (R19)") {
    for (const nlohmann::json& line : golden_lines("reviews.jsonl")) {
        const std::string text = line.at("text");
        const Review review = review_text(text, listings_named("deck"));
        CHECK_MESSAGE(review.free == line.at("free").get<bool>(), text, " - ",
                      review.reasons.empty() ? std::string("free") : review.reasons.front());
        CHECK(review.free == review.reasons.empty());
    }
}
