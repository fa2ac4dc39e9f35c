#include "cli/demo/cast.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "daemon/collab/demo_profiles.h"
#include "daemon/collab/profile_file.h"

using namespace a2h;
using nlohmann::json;

namespace {

json generated(i18n::Language language) {
    json made = json::array();
    for (const Profile& profile :
         collab::demo_profiles(100, static_cast<std::uint64_t>(cli::party_seed(language))))
        made.push_back(collab::to_json(profile));
    return made;
}

long taking_part(const cli::Cast& cast) {
    return std::count_if(cast.called.begin(), cast.called.end(),
                         [](const cli::Character& each) { return each.takes_part(); });
}

}  // namespace

TEST_CASE("the generated people fill every part of the demo, in both languages") {
    for (const auto& [language, speakers] :
         {std::pair{i18n::Language::English, 40}, std::pair{i18n::Language::Chinese, 60}}) {
        CAPTURE(speakers);
        const cli::Cast cast = cli::cast_for_party(generated(language), language);
        CHECK(cast.called.size() + cast.others.size() == static_cast<std::size_t>(speakers));
        CHECK(cast.called.size() >= 8);
        CHECK(cast.called.size() <= 20);  // all of them can be invited
        CHECK(taking_part(cast) == 7);
        const auto answering =
            std::count_if(cast.called.begin(), cast.called.end(),
                          [](const cli::Character& each) { return each.joins_in_person(); });
        CHECK(answering == 1);
        for (const cli::Character& each : cast.called) {
            CAPTURE(each.person.name);
            const json profile = json::parse(each.person.profile_json);
            CHECK_FALSE(profile.contains("agent_id"));
            CHECK(profile["user_name"] == each.person.name);
            CHECK((each.takes_part() || each.price_minor == 0));
        }
    }
}

TEST_CASE("on-site parts are given to people of the city, and each part once") {
    const auto person = [](const char* name, const char* tag, const char* location) {
        return json{{"agent_id", name},
                    {"user_name", name},
                    {"tags", {tag}},
                    {"location", location},
                    {"profile_summary", ""}};
    };
    const json profiles{person("far", "venue", "Paris"),
                        person("one", "venue", "Beijing, China"),
                        person("two", "venue", "Beijing, China"),
                        person("three", "venue", "Beijing, China"),
                        person("speaker", "keynote speaker", "Paris"),
                        person("eye", "photography", "Beijing, China"),
                        person("law", "contracts", "Beijing, China"),
                        person("林悦", "venue", "Beijing, China")};
    const cli::Cast cast = cli::cast_for_party(profiles, i18n::Language::English);
    std::vector<std::string> giving;
    for (const cli::Character& each : cast.called) {
        if (each.takes_part()) giving.push_back(each.person.name);
    }
    CHECK(giving == std::vector<std::string>{"one", "two", "speaker"});
    CHECK(cast.called.size() == 6);
    REQUIRE(cast.others.size() == 1);
    CHECK(cast.others[0].name == "law");
}
