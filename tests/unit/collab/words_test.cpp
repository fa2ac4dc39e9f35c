#include "daemon/collab/words.h"

#include <doctest/doctest.h>

#include <map>

#include "core/i18n/normalize.h"

using namespace a2h;
using namespace a2h::collab;
using Words = std::vector<std::string>;

namespace {

TagMatch match(const char* one, const char* other) {
    const TagMatch there =
        match_tags(words_of_tag(i18n::fold(one)), words_of_tag(i18n::fold(other)));
    const TagMatch back =
        match_tags(words_of_tag(i18n::fold(other)), words_of_tag(i18n::fold(one)));
    CHECK(there == back);
    return there;
}

bool finds(const char* text, const char* tag) {
    return !SearchedText(i18n::fold(text)).evidence_of(words_of_tag(i18n::fold(tag))).empty();
}

}  // namespace

TEST_CASE("A tag consists of its words without stop words") {
    CHECK(words_of_tag("场地提供").chinese == Words{"场地"});
    CHECK(words_of_tag("演讲嘉宾").chinese == Words{"演讲", "讲嘉", "嘉宾"});
    CHECK(words_of_tag("活动策划").general == Words{"活动", "策划"});
    CHECK(words_of_tag("活动策划").chinese.empty());
    CHECK(words_of_tag("venue provider").latin == Words{"venue"});
    CHECK(words_of_tag("c++").latin == Words{"c++"});
    CHECK(words_of_tag("ai讲师").latin == Words{"ai"});
    CHECK(words_of_tag("ai讲师").chinese == Words{"讲师"});
    CHECK(words_of_tag("服务").is_empty());
    CHECK(words_of_tag(" ,!").is_empty());
}

TEST_CASE("English words are compared without plural and endings such as -er") {
    CHECK(match("Photographers", "photography") == TagMatch::Word);
    CHECK(match("planner", "Planning") == TagMatch::Word);
    CHECK(match("speakers", "public speaking") == TagMatch::Word);
    CHECK(match("venues", "Venue") == TagMatch::Word);
    CHECK(match("translator", "translation") == TagMatch::Word);
    CHECK(match("glass", "glas") == TagMatch::None);
}

TEST_CASE("Tags match when equal, contained in one another, or with the same subject") {
    CHECK(match("摄影", "摄影") == TagMatch::Exact);
    CHECK(match("ＡＩ", "ai") == TagMatch::Exact);
    CHECK(match("摄影", "婚礼摄影师") == TagMatch::Part);
    CHECK(match("design", "web design") == TagMatch::Part);
    CHECK(match("场地提供", "会议场地") == TagMatch::Word);
    CHECK(match("venue hire", "event venue") == TagMatch::Word);
    CHECK(match("venue provider", "event venue") == TagMatch::Word);
    CHECK(match("策划活动", "活动策划") == TagMatch::Word);
}

TEST_CASE("Tags do not match by general words, by pieces of words or by one character") {
    CHECK(match("art", "party games") == TagMatch::None);
    CHECK(match("平面设计", "室内设计") == TagMatch::None);
    CHECK(match("web design", "interior design") == TagMatch::None);
    CHECK(match("machine learning", "language learning") == TagMatch::None);
    CHECK(match("餐饮服务", "法律服务") == TagMatch::None);
    CHECK(match("服务", "餐饮服务") == TagMatch::None);
    CHECK(match("书", "证书办理") == TagMatch::None);
    CHECK(match("活动策划", "活动主持") == TagMatch::None);
}

TEST_CASE("Tags of both languages match by words that mean the same") {
    CHECK(match("场地提供", "venue") == TagMatch::Word);
    CHECK(match("演讲嘉宾", "keynote speakers") == TagMatch::Word);
    CHECK(match("嘉宾", "演讲") == TagMatch::Word);
    CHECK(match("活动策划", "event planner") == TagMatch::Word);
    CHECK(match("策划", "event planning") == TagMatch::Word);
    CHECK(match("摄影", "wedding photographer") == TagMatch::Word);
    CHECK(match("餐饮服务", "catering") == TagMatch::Word);
    CHECK(match("平面设计", "graphic design") == TagMatch::Word);
    CHECK(match("法律咨询", "legal advice") == TagMatch::Word);
    CHECK(match("社群运营", "community management") == TagMatch::Word);
    CHECK(match("翻译", "interpreting") == TagMatch::Word);
}

TEST_CASE("Tags of both languages do not match by general words or other meanings") {
    CHECK(match("平面设计", "interior design") == TagMatch::None);
    CHECK(match("活动策划", "event catering") == TagMatch::None);
    CHECK(match("活动主持", "event planning") == TagMatch::None);
    CHECK(match("场地提供", "photography") == TagMatch::None);
    CHECK(match("预算管理", "stage management") == TagMatch::None);
    // In English alone all words count, as ever.
    CHECK(match("translation agency", "sign interpreting") == TagMatch::None);
}

TEST_CASE("A tag is found in a text of the other language") {
    CHECK(finds("北京AI聚会 找场地", "venue"));
    CHECK(finds("We look for a venue in Beijing", "场地提供"));
    CHECK(finds("想找人策划一场活动", "event planning"));
    CHECK(finds("需要会议翻译", "interpreting"));
    CHECK_FALSE(finds("北京AI聚会 找场地", "venue decoration"));
    CHECK_FALSE(finds("一场活动", "event planning"));
    CHECK_FALSE(finds("an adventure", "场地提供"));
    // What stands for it is named by the text's word, so that one wish is one tag.
    CHECK(SearchedText("找场地").evidence_of(words_of_tag("venue")) == Words{"场地"});
    CHECK(SearchedText("a venue").evidence_of(words_of_tag("场地")) == Words{"venue"});
}

TEST_CASE("Other words of the same meaning are those of the table, without the tag's own") {
    const Words of_venue = equal_words_of(words_of_tag("场地提供"));
    CHECK(of_venue == Words{"venue", "会场", "场所"});
    CHECK(equal_words_of(words_of_tag("sailing")).empty());
    CHECK(equal_words_of(words_of_tag("设计")).empty());  // says nothing alone
}

TEST_CASE("A tag is found in a text by the whole, a Chinese word or all its English words") {
    CHECK(finds("想在北京办一场聚会，需要一个场地", "场地提供"));
    CHECK(finds("帮我策划一场小型活动", "活动策划"));
    CHECK_FALSE(finds("一场小型活动", "活动策划"));
    CHECK(finds("We need a photographer for our party", "photography"));
    CHECK(finds("Looking for venues", "venue provider"));
    CHECK_FALSE(finds("a planet", "plan"));
    CHECK_FALSE(finds("a party", "art"));
    CHECK_FALSE(finds("一次AI聚会", "AI讲师"));
    CHECK_FALSE(finds("需要服务", "餐饮服务"));
}

TEST_CASE("A profile is found by its tags and by what else it says, each word at its best place") {
    Profile profile;
    profile.tags = {"Tea", "ＴＥＡ", " "};
    profile.capabilities_json = R"({"投影":["lamp",3],"seats":{"note":"茶室"}})";
    profile.interests = {"茶室", "robots"};
    profile.profile_summary = "A robot and a garden";
    const store::ProfileKeys keys = keys_of(profile);
    CHECK(keys.tags == Words{"tea"});
    std::map<std::string, int> words;
    for (const auto& key : keys.words)
        words.emplace(key.word, static_cast<int>(key.place));
    const std::map<std::string, int> expected{{"seat", 0}, {"note", 0},  {"茶室", 0},  {"投影", 0},
                                              {"lamp", 0}, {"robot", 1}, {"garden", 2}};
    CHECK(words == expected);
    CHECK(keys.words.size() == expected.size());
}

TEST_CASE("Words for no particular place are distinguished from places") {
    CHECK(is_anywhere("线上"));
    CHECK(is_anywhere("remote / berlin"));
    CHECK_FALSE(is_anywhere("上海"));
    CHECK_FALSE(is_anywhere(""));
}
