#include "daemon/collab/filter_rules.h"

#include <algorithm>

#include "tests/unit/collab/profile_fixture.h"

using namespace a2h;
using a2h::collab::Candidate;
using a2h::collab::Filtered;
using a2h::test::ProfileFixture;
using Words = std::vector<std::string>;

namespace {

wire::Understanding demand_for(Words tags, std::string location = "", std::string date = "") {
    wire::Understanding demand;
    demand.capability_tags = std::move(tags);
    demand.location = std::move(location);
    demand.date = std::move(date);
    return demand;
}

Filtered filter(store::Database& db, const wire::Understanding& demand,
                std::string_view requester = "ag_me") {
    auto filtered = collab::filter_by_rules(db, demand, requester);
    REQUIRE(filtered.has_value());
    return std::move(*filtered);
}

Words ids(const std::vector<Candidate>& candidates) {
    Words found;
    for (const Candidate& candidate : candidates)
        found.push_back(candidate.agent_id.substr(3));  // without ag_
    return found;
}

}  // namespace

TEST_CASE_FIXTURE(ProfileFixture,
                  "A profile that covers a tag is definitely related, exact matches first") {
    add("word", {"会议场地"});
    add("exact", {"场地提供"});
    add("other", {"摄影"});
    const Filtered filtered = filter(db(), demand_for({"场地提供"}));
    CHECK(ids(filtered.definitely_related) == Words{"exact", "word"});
    CHECK(filtered.possibly_related.empty());
    const Candidate& best = filtered.definitely_related.front();
    CHECK(best.display_name == "Name of exact");
    CHECK(best.tags == Words{"场地提供"});
    CHECK(best.reason == "场地提供，正是所需");
    CHECK(best.match_score > filtered.definitely_related.back().match_score);
    CHECK(best.match_score <= 100);
    CHECK(filtered.definitely_related.back().reason == "会议场地，可满足“场地提供”的需求");
}

TEST_CASE_FIXTURE(ProfileFixture,
                  "A tag in the other language is definitely related, after exact matches") {
    add("english", {"venue", "coffee bar"});
    add("chinese", {"场地提供"});
    add("other", {"graphic design"});
    const Filtered chinese = filter(db(), demand_for({"场地提供"}));
    CHECK(ids(chinese.definitely_related) == Words{"chinese", "english"});
    CHECK(chinese.definitely_related.back().tags == Words{"场地提供"});
    CHECK(chinese.definitely_related.back().reason == "venue，可满足“场地提供”的需求");
    const Filtered english = filter(db(), demand_for({"venue"}));
    CHECK(ids(english.definitely_related) == Words{"english", "chinese"});
    CHECK(english.possibly_related.empty());
}

TEST_CASE_FIXTURE(ProfileFixture, "A word outside the tags is found in the other language, too") {
    add("ability", {"tea"}).capabilities_json = R"({"venue":"30 seats"})";
    save();
    const Filtered filtered = filter(db(), demand_for({"场地提供"}));
    CHECK(filtered.definitely_related.empty());
    CHECK(ids(filtered.possibly_related) == Words{"ability"});
}

TEST_CASE_FIXTURE(ProfileFixture,
                  "A profile that mentions a word outside its tags is possibly related") {
    add("summary", {"茶艺"}).profile_summary = "家里有一处安静的场地";
    save();
    add("interest", {"茶艺"}).interests = {"场地改造"};
    save();
    add("ability", {"茶艺"}).capabilities_json = R"({"场地":"30人"})";
    save();
    const Filtered filtered = filter(db(), demand_for({"场地提供"}));
    CHECK(filtered.definitely_related.empty());
    CHECK(ids(filtered.possibly_related) == Words{"ability", "interest", "summary"});
    CHECK(filtered.possibly_related[0].reason == "能力介绍中提到“场地”，与“场地提供”有关");
    CHECK(filtered.possibly_related[1].reason == "兴趣中提到“场地”，与“场地提供”有关");
    CHECK(filtered.possibly_related[2].reason == "自我介绍中提到“场地”，与“场地提供”有关");
    CHECK(filtered.possibly_related[0].tags == Words{"场地提供"});
}

TEST_CASE_FIXTURE(ProfileFixture, "An interest is no capability") {
    add("speaker", {"演讲嘉宾"}).interests = {"摄影展"};
    save();
    add("host", {"场地提供"}).capabilities_json = R"({"附送":"摄影"})";
    save();
    const Filtered filtered = filter(db(), demand_for({"场地提供", "演讲嘉宾", "摄影"}));
    REQUIRE(filtered.definitely_related.size() == 2);
    for (const Candidate& candidate : filtered.definitely_related) {
        CHECK(candidate.tags ==
              (candidate.agent_id == "ag_host" ? Words{"场地提供", "摄影"} : Words{"演讲嘉宾"}));
    }
}

TEST_CASE_FIXTURE(ProfileFixture, "Place and time decide between those who can do the same") {
    add("far", {"Photography"}, "Paris").availability = "weekends";
    save();
    add("busy", {"Photography"}, "Berlin").availability = "weekdays only";
    save();
    add("near", {"Photography"}, "Berlin, Germany").availability = "weekends";
    save();
    const Filtered filtered = filter(db(), demand_for({"photography"}, "Berlin", "next weekend"));
    CHECK(ids(filtered.definitely_related).front() == "near");
    CHECK(filtered.definitely_related.size() == 3);
    CHECK(filtered.definitely_related.front().reason ==
          "Photography, as wanted; location: Berlin, Germany");
    CHECK(filtered.definitely_related.front().match_score == 100);
}

TEST_CASE_FIXTURE(ProfileFixture, "The requester and who is not active are never candidates") {
    add("me", {"摄影"});
    add("gone", {"摄影"}).is_active = false;
    save();
    const Filtered filtered = filter(db(), demand_for({"摄影"}));
    CHECK(filtered.definitely_related.empty());
    CHECK(filtered.possibly_related.empty());
}

TEST_CASE_FIXTURE(ProfileFixture, "No candidate is invented: no profiles, or none that fits") {
    CHECK(filter(db(), demand_for({"摄影"})).definitely_related.empty());
    add("a", {"茶艺"});
    const Filtered filtered = filter(db(), demand_for({"摄影"}));
    CHECK(filtered.definitely_related.empty());
    CHECK(filtered.possibly_related.empty());
    CHECK(filter(db(), demand_for({"服务"})).definitely_related.empty());
    CHECK(filter(db(), demand_for({})).possibly_related.empty());
}

TEST_CASE_FIXTURE(ProfileFixture,
                  "Each part of the demand keeps its best candidate if there are too many") {
    for (int i = 0; i < 40; ++i)
        add("venue" + std::to_string(i), {"场地提供"}, "北京");
    add("speaker", {"演讲嘉宾"}, "上海");
    add("both", {"场地提供", "演讲嘉宾"}, "北京");
    const Filtered filtered = filter(db(), demand_for({"场地提供", "演讲嘉宾"}, "北京"));
    CHECK(filtered.definitely_related.size() == collab::kCandidatesMax);
    const Words chosen = ids(filtered.definitely_related);
    CHECK(chosen.front() == "both");
    CHECK(std::count(chosen.begin(), chosen.end(), "speaker") == 1);
    CHECK(filtered.definitely_related.front().tags == Words{"场地提供", "演讲嘉宾"});
}

TEST_CASE_FIXTURE(ProfileFixture, "The possible ones fill what the definite ones leave of twenty") {
    for (int i = 0; i < 15; ++i)
        add("venue" + std::to_string(i), {"场地提供"});
    for (int i = 0; i < 15; ++i) {
        add("maybe" + std::to_string(i), {}).profile_summary = "我们有场地";
        save();
    }
    const Filtered filtered = filter(db(), demand_for({"场地提供"}));
    CHECK(filtered.definitely_related.size() == 15);
    CHECK(filtered.possibly_related.size() == 5);
}

TEST_CASE_FIXTURE(ProfileFixture, "Equal matches are sorted by newest profile, then by id") {
    add("b", {"摄影"}).updated_at_ms = 5;
    save();
    add("c", {"摄影"}).updated_at_ms = 5;
    save();
    add("d", {"摄影"}).updated_at_ms = 9;
    save();
    CHECK(ids(filter(db(), demand_for({"摄影"})).definitely_related) == Words{"d", "b", "c"});
}

TEST_CASE_FIXTURE(ProfileFixture, "A demand without tags is compared by its own words") {
    add("hiker", {}).interests = {"爬山"};
    save();
    add("runner", {}).profile_summary = "周末在奥森跑步，也爬坡";
    save();
    wire::Understanding demand;
    demand.surface_demand = "找朋友去香山爬山";
    const Filtered filtered = filter(db(), demand);
    CHECK(filtered.definitely_related.empty());
    REQUIRE(ids(filtered.possibly_related) == Words{"hiker"});
    CHECK(filtered.possibly_related.front().tags.empty());
    CHECK(filtered.possibly_related.front().reason == "兴趣中提到“爬山”，与“找朋友去香山爬山”有关");
}
