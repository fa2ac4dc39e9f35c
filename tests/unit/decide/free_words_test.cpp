#include "daemon/decide/free_words.h"

#include <doctest/doctest.h>

#include <fstream>
#include <string>
#include <vector>

#include "core/i18n/normalize.h"
#include "daemon/decide/decision.h"
#include "tests/support/unseen.h"

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

}  // namespace

TEST_CASE("a character that is judged as another one never leaves freely") {
    const auto check = [](char32_t from, char32_t to) {
        for (char32_t c = from; c <= to; ++c) {
            const std::string one = test::utf8(c);
            const bool is_letter =
                c < 0x80 || (c >= 0xC0 && c <= 0x52F) || (c >= 0x1E00 && c < 0x2000);
            if (is_letter || test::is_unseen(c) || i18n::fold(one) == one || c == 0xA0 ||
                c == 0x2026 || c == 0x3000) {
                continue;
            }
            CHECK_FALSE_MESSAGE(are_free_words("Hello " + one), one);
            CHECK_FALSE_MESSAGE(are_free_words("What is the price? " + one), one);
            CHECK_FALSE_MESSAGE(are_free_words(one + " " + one), one);
        }
    };
    check(0x21, 0x33FF);
    check(0x1F000, 0x1FAFF);
    for (const char* text : {"Hello ①", "②⑧", "What is the price? ⑳", "Thanks y", "Hello Ⓨ",
                             "Which 要?", "Which 是?", "How many 一?"})
        CHECK_FALSE_MESSAGE(are_free_words(text), text);
    for (const char* text : {"Hola y gracias", "Ｈｅｌｌｏ"})
        CHECK_MESSAGE(are_free_words(text), text);
    CHECK_FALSE(asks_for_facts_only("How is the price one CNY?", portrait()));
    CHECK_FALSE(asks_for_facts_only("What is the price? ② ⑧ ⑤", portrait()));
    CHECK(asks_for_facts_only("What is the price?", portrait()));
}

TEST_CASE("no text that an examiner judged as committing leaves by itself") {
    const auto texts = lines_of("commitments.txt");
    std::size_t left = 0;
    for (const std::string& text : texts) {
        CHECK_FALSE_MESSAGE(are_free_words(text), text);
        left += are_free_words(text) ? 1 : 0;
    }
    MESSAGE(left << " of " << texts.size() << " commitments leave");
    CHECK(texts.size() == 647);
}

TEST_CASE("a question may name what it asks about, but orders and arranges nothing") {
    for (const char* asked :
         {"How much is the portrait session?", "When is the wedding?", "How do you bake cakes?",
          "Could you describe the condition of the phone?", "What songs do you play at weddings?",
          "您做的蛋糕有什么口味？", "请问翻译多少钱？", "您用什么材料？", "请问有生日蛋糕吗？"})
        CHECK_MESSAGE(are_free_words(asked), asked);
    for (const char* ordered :
         {"Do you translate the document?", "Which day would suit you for the wedding?",
          "Which days do you photograph weddings in Berlin?", "您做蛋糕吗？",
          "您哪天方便修自行车？"})
        CHECK_FALSE_MESSAGE(are_free_words(ordered), ordered);
}

TEST_CASE("a clause of a known form may leave in each of its languages") {
    for (const char* said :
         {"Is the piano in good condition?", "Thank you for the photos, they are lovely.",
          "Merry Christmas to you and your family.", "这架钢琴保养得怎么样？", "祝您早日康复。",
          "Aus welchem Holz ist der Tisch?", "Gern geschehen.", "¿De qué color es el sofá?",
          "Que se mejore pronto.", "Quelle est la couleur du vélo ?", "Bonne année !",
          "ソファは何色ですか。", "お大事になさってください。", "De que cor é o sofá?",
          "Feliz Natal!", "Di che colore è il divano?", "Buon Natale!"})
        CHECK_MESSAGE(are_free_words(said), said);
}

TEST_CASE("a form allows no other word, and none of an agreement") {
    for (const char* held : {"Is our piano in good condition?",
                             "Is the piano that we buy in good condition?",
                             "Is the piano still in good condition?",
                             "Is the piano in good condition then?",
                             "Is the piano in good condition",
                             "Is the contract in good condition?",
                             "Congratulations on your new piano!",
                             "Congratulations!",
                             "It is lovely.",
                             "With pleasure.",
                             "Take your time.",
                             "Does it work for you?",
                             "My pleasure.",
                             "No problem.",
                             "Not at all.",
                             "Good luck!",
                             "Have a nice Friday with us!",
                             "谢谢您的好意。",
                             "真漂亮。",
                             "好的。",
                             "Alles klar.",
                             "Bitte sehr.",
                             "Wie schwer ist unser neuer Schrank?",
                             "Vale.",
                             "Je vous en prie.",
                             "D'accord.",
                             "Quelle est la couleur de notre vélo ?",
                             "Prego.",
                             "了解しました。",
                             "うちのソファは何色ですか。",
                             "いえいえ。",
                             "カードは使えますか。"})
        CHECK_FALSE_MESSAGE(are_free_words(held), held);
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
        const bool left = is_closed && are_free_words(pair.substr(tab + 1));
        CHECK_FALSE_MESSAGE(left, pair);
    }
}

TEST_CASE("at most 30 of 100 harmless messages are held") {
    const auto texts = lines_of("harmless.txt");
    std::size_t held = 0;
    for (const std::string& text : texts) {
        if (are_free_words(text)) continue;
        ++held;
        MESSAGE("held: " << text);
    }
    MESSAGE(held << " of " << texts.size() << " harmless messages are held");
    CHECK(texts.size() >= 100);
    CHECK(held * 100 <= texts.size() * 30);
}
