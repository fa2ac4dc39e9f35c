#include "daemon/collab/demo_profiles.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "core/base/ids.h"
#include "core/base/text.h"
#include "daemon/collab/profile_file.h"

using namespace a2h;

TEST_CASE("Demo profiles are the same for a seed, and others for another") {
    const auto one = collab::demo_profiles(30, 7);
    const auto again = collab::demo_profiles(30, 7);
    const auto other = collab::demo_profiles(30, 8);
    REQUIRE(one.size() == 30);
    bool differs = false;
    for (std::size_t i = 0; i < one.size(); ++i) {
        CHECK(collab::to_json(one[i]) == collab::to_json(again[i]));
        differs = differs || collab::to_json(one[i]) != collab::to_json(other[i]);
    }
    CHECK(differs);
    CHECK(collab::demo_profiles(0, 1).empty());
}

TEST_CASE("A hundred demo profiles are varied, whole, and may be imported") {
    const auto made = collab::demo_profiles(100, 1);
    nlohmann::json list = nlohmann::json::array();
    std::set<std::string> summaries;
    std::set<std::string> tags;
    int chinese = 0;
    for (const Profile& profile : made) {
        list.push_back(collab::to_json(profile));
        summaries.insert(profile.profile_summary);
        tags.insert(profile.tags.begin(), profile.tags.end());
        CHECK(profile.agent_id.starts_with("ag_trial"));
        CHECK(is_agent_id(profile.agent_id));
        CHECK(profile.tags.size() >= 2);
        CHECK(profile.interests.size() == 2);
        CHECK(profile.interests[0] != profile.interests[1]);
        CHECK(profile.profile_summary.find('{') == std::string::npos);
        const std::size_t length = code_point_count(profile.profile_summary);
        CHECK(length >= 120);
        CHECK(length <= 800);
        chinese += profile.profile_summary.size() > 2 * length ? 1 : 0;
    }
    CHECK(chinese == 60);
    CHECK(summaries.size() == 100);
    CHECK(tags.size() > 50);
    const auto read = collab::read_profiles(list);
    REQUIRE_MESSAGE(read.has_value(), (read ? "" : read.error().message));
    CHECK(read->size() == 100);
}
