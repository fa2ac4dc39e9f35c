#include "daemon/collab/understanding_rules.h"

#include "tests/unit/collab/profile_fixture.h"

using namespace a2h;
using a2h::test::ProfileFixture;
using Words = std::vector<std::string>;

namespace {

wire::Understanding understand(store::Database& db, std::string_view text) {
    const auto understood = collab::understand_by_rules(db, text);
    REQUIRE(understood.has_value());
    return *understood;
}

}  // namespace

TEST_CASE_FIXTURE(ProfileFixture, "A Chinese demand is understood by words of known tags") {
    add("a", {"场地提供", "茶歇"}, "北京市海淀区");
    add("b", {"场地提供"}, "上海");
    add("c", {"会议场地", "演讲嘉宾"}, "北京");
    const auto read =
        understand(db(), "想在北京办一场30人的AI聚会，需要场地和嘉宾，预算5000元，下周六");
    CHECK(read.surface_demand == "想在北京办一场30人的AI聚会，需要场地和嘉宾，预算5000元，下周六");
    CHECK(read.capability_tags == Words{"场地提供", "演讲嘉宾"});
    CHECK(read.location == "北京");
    CHECK(read.expected_attendees == 30);
    CHECK(read.budget == "5000元");
    CHECK(read.date == "下周六");
    CHECK(read.confidence == "low");
    CHECK(read.motivation.empty());
}

TEST_CASE_FIXTURE(ProfileFixture, "An English demand is understood by whole words") {
    add("a", {"Venue provider", "Catering"}, "Berlin, Germany");
    add("b", {"Photography", "Art"}, "Paris");
    const auto read = understand(
        db(),
        "We need a venue and a photographer for a party of 40 guests in Berlin on February "
        "15, with a budget of 5,000 EUR.");
    CHECK(read.capability_tags == Words{"photography", "venue provider"});
    CHECK(read.location == "Berlin");
    CHECK(read.expected_attendees == 40);
    CHECK(read.budget == "5,000 EUR");
    CHECK(read.date == "February 15");
}

TEST_CASE_FIXTURE(ProfileFixture, "Naming a budget is not looking for somebody who plans one") {
    add("a", {"Budgeting", "Venue"}, "Paris");
    add("b", {"预算管理", "场地"}, "北京");
    CHECK(understand(db(), "A venue, budget 500 EUR").capability_tags == Words{"venue"});
    CHECK(understand(db(), "要个场地，预算500元").capability_tags == Words{"场地"});
    CHECK(understand(db(), "Budgeting for a party, budget 500 EUR").capability_tags ==
          Words{"budgeting"});
    CHECK(understand(db(), "要预算管理，预算500元").capability_tags == Words{"预算管理"});
    CHECK(understand(db(), "Somebody for our budget").capability_tags == Words{"budgeting"});
}

TEST_CASE_FIXTURE(ProfileFixture, "A demand is understood by known tags of the other language") {
    add("a", {"venue"}, "Berlin");
    add("b", {"graphic design"});
    CHECK(understand(db(), "北京AI聚会 找场地").capability_tags == Words{"venue"});
    // One wish is one tag, that of more profiles; the filter finds the others.
    add("c", {"场地提供"});
    add("d", {"场地提供"});
    CHECK(understand(db(), "北京AI聚会 找场地").capability_tags == Words{"场地提供"});
    CHECK(understand(db(), "a meetup in Berlin, with a venue").capability_tags == Words{"venue"});
}

TEST_CASE_FIXTURE(ProfileFixture, "Nothing is understood that is not plainly there") {
    add("a", {"摄影"}, "北京");
    const auto read = understand(db(), "找人一起聊聊，门票30元，3个小时");
    CHECK(read.capability_tags.empty());
    CHECK(read.location.empty());
    CHECK_FALSE(read.expected_attendees.has_value());
    CHECK(read.budget.empty());
    CHECK(read.date.empty());
    CHECK(understand(db(), "").capability_tags.empty());
}

TEST_CASE_FIXTURE(ProfileFixture, "A budget may stand behind the amount, not in another sentence") {
    CHECK(understand(db(), "3000 CNY budget").budget == "3000 CNY");
    CHECK(understand(db(), "5万元预算").budget == "5万元");
    CHECK(understand(db(), "We have no budget. A ticket is 30 EUR").budget.empty());
}

TEST_CASE_FIXTURE(ProfileFixture, "Tags of profiles that are not active are not known") {
    Profile& profile = add("a", {"摄影"}, "北京");
    CHECK(understand(db(), "北京摄影").capability_tags == Words{"摄影"});
    profile.is_active = false;
    save();
    const auto read = understand(db(), "北京摄影");
    CHECK(read.capability_tags.empty());
    CHECK(read.location.empty());
}

TEST_CASE_FIXTURE(ProfileFixture, "At most ten tags are read from a text") {
    std::string text;
    for (const char* tag :
         {"摄影", "剪辑", "主持", "茶歇", "音响", "灯光", "舞台", "翻译", "法律", "会计", "保险"}) {
        add(tag, {tag});
        text += tag;
        text += "，";
    }
    CHECK(understand(db(), text).capability_tags.size() == 10);
}
