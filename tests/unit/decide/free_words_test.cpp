#include "daemon/decide/free_words.h"

#include <doctest/doctest.h>

#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "daemon/decide/decision.h"

using namespace a2h;
using namespace a2h::decide;

namespace {

/// The lines of a file of the examination, without its head.
std::vector<std::string> lines_of(std::string_view file) {
    std::ifstream in(std::string(A2H_SOURCE_DIR) + "/tests/examination/assistant_words/" +
                     std::string(file));
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);)
        if (!line.starts_with('#')) lines.push_back(line);
    REQUIRE_FALSE(lines.empty());
    return lines;
}

std::vector<Listing> portrait() {
    Listing english;
    english.works_id = "works_1";
    english.title = "Portrait session";
    english.content =
        "One hour of portrait photography in Chengdu, 20 edited pictures, delivered within 7 days, "
        "online gallery, 280 CNY.";
    return {english};
}

std::vector<Listing> chinese_portrait() {
    Listing chinese;
    chinese.works_id = "works_2";
    chinese.title = "人像拍摄";
    chinese.content = "一小时人像摄影，地点在成都，精修20张，7天内交付，280元。";
    return {chinese};
}

bool is_free(std::string_view text, std::vector<Listing> listings = portrait()) {
    DraftFacts facts;
    facts.listings = std::move(listings);
    return are_free_words(text, facts);
}

bool leaves(const std::string& text) {
    return is_free(text) || is_free(text, chinese_portrait());
}

}  // namespace

TEST_CASE("no text that an examiner judged as committing leaves by itself") {
    const auto texts = lines_of("commitments.txt");
    std::size_t left = 0;
    for (const std::string& text : texts) {
        CHECK_FALSE_MESSAGE(leaves(text), text);
        left += leaves(text) ? 1 : 0;
    }
    MESSAGE(left << " of " << texts.size() << " commitments leave");
    CHECK(texts.size() == 541);
}

TEST_CASE("part of what a listing says is no fact, because the rest may limit or deny it") {
    const std::pair<const char*, std::vector<const char*>> kListings[] = {
        {"Full refund, if you cancel seven days before.", {"Full refund."}},
        {"Full refund. But only if you cancel seven days before.", {"Full refund."}},
        {"We pay for all damage, unless it was there before.", {"We pay for all damage."}},
        {"We start tomorrow, weather permitting.", {"We start tomorrow.", "We start tomorrow"}},
        {"We do not, under any circumstances, deliver on Sunday.", {"Deliver on Sunday."}},
        {"We never, even for friends, work for free.", {"Work for free"}},
        {"三十天内，全额退款。会员，免费送货。", {"全额退款。", "免费送货。", "会员，免费送货。"}},
        {"我们不会，免费维修。", {"免费维修。"}},
        {"Wir zahlen alles zurück, wenn es nicht passt.", {"Wir zahlen alles zurück."}}};
    for (const auto& [content, parts] : kListings) {
        Listing listing = portrait()[0];
        listing.content = content;
        for (const char* part : parts) {
            CAPTURE(part);
            CHECK_FALSE(is_free(part, {listing}));
        }
    }
}

TEST_CASE("a demand of ours states no facts, because it is an offer to whoever sells") {
    Listing wanted = portrait()[0];
    wanted.title = "Old chair wanted";
    wanted.content = "We pay 250 CNY. We take it today.";
    wanted.expected_price = "250 CNY";
    for (const char* said : {"The price is 250 CNY.", "250 CNY.", "Old chair wanted.",
                             "We pay 250 CNY. We take it today."}) {
        CAPTURE(said);
        CHECK(is_free(said, {wanted}));
        wanted.type = ListingType::Demand;
        CHECK_FALSE(is_free(said, {wanted}));
        wanted.type = ListingType::Service;
    }
}

TEST_CASE("a question with an offer beside it is not closed by the answer of a rule") {
    const auto texts = lines_of("questions_with_offers.txt");
    std::size_t closed = 0;
    for (const std::string& text : texts) {
        const bool is_closed = asks_for_facts_only(text, portrait()) || is_greeting_or_thanks(text);
        CHECK_FALSE_MESSAGE(is_closed, text);
        closed += is_closed ? 1 : 0;
    }
    MESSAGE(closed << " of " << texts.size() << " offers count as closed");
    CHECK(texts.size() == 132);
}

TEST_CASE("to an offer that a rule answered, no acceptance leaves") {
    for (const std::string& pair : lines_of("answers_to_answered.txt")) {
        const std::size_t tab = pair.find('\t');
        REQUIRE(tab != std::string::npos);
        const std::string said = pair.substr(0, tab);
        const bool is_closed = asks_for_facts_only(said, portrait()) || is_greeting_or_thanks(said);
        const bool left = is_closed && leaves(pair.substr(tab + 1));
        CHECK_FALSE_MESSAGE(left, pair);
    }
}

TEST_CASE("at most 30 of 100 harmless messages are held") {
    const auto texts = lines_of("harmless.txt");
    std::size_t held = 0;
    for (const std::string& text : texts) {
        if (leaves(text)) continue;
        ++held;
        MESSAGE("held: " << text);
    }
    MESSAGE(held << " of " << texts.size() << " harmless messages are held");
    CHECK(texts.size() >= 100);
    CHECK(held * 100 <= texts.size() * 30);
}
