#include "core/store/profile_store.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <map>

#include "core/store/migrate.h"
#include "tests/support/save_profile.h"
#include "tests/unit/store/store_fixture.h"

using namespace a2h;
using a2h::test::StoreFixture;
using store::WordPlace;

namespace {

Profile sample_profile(const std::string& agent_id, const std::string& source = "import") {
    Profile profile;
    profile.agent_id = agent_id;
    profile.source = source;
    profile.user_name = "Bob";
    profile.profile_summary = "我有一间茶室";
    profile.location = "北京";
    profile.tags = {"场地提供", "Tea"};
    profile.capabilities_json = R"({"venue":"30 seats"})";
    profile.interests = {"AI", "茶"};
    profile.availability = "周末";
    profile.updated_at_ms = 9;
    return profile;
}

store::ProfileKeys sample_keys() {
    return {{"场地提供", "tea"}, {{"茶室", WordPlace::Summary}, {"seat", WordPlace::Capabilities}}};
}

std::vector<std::string> ids(const Result<std::vector<Profile>>& profiles) {
    std::vector<std::string> found;
    for (const Profile& profile : *profiles)
        found.push_back(profile.agent_id);
    return found;
}

/// With many others, so that the profiles of a word are in several rows.
std::vector<store::KeyedProfile> many_profiles(int count) {
    std::vector<store::KeyedProfile> made;
    for (int i = 0; i < count; ++i) {
        const std::string own = "own" + std::to_string(i);
        const auto place = static_cast<WordPlace>(i % 3);
        made.push_back({sample_profile("agent_" + std::to_string(i)),
                        {{"tag"}, {{"common", place}, {own, WordPlace::Summary}}}});
    }
    return made;
}

/// The agents that have the word, by id, and where they have it.
std::map<std::string, WordPlace> who_has(store::Database& db, std::string_view word) {
    std::map<std::string, WordPlace> found;
    const auto uses = store::profiles_with_word(db, word);
    REQUIRE_MESSAGE(uses, (uses ? "" : uses.error().message));
    for (const store::WordUse& use : *uses) {
        const auto brief = store::profile_brief(db, use.profile);
        REQUIRE(brief->has_value());
        CHECK(found.emplace((*brief)->agent_id, use.place).second);
    }
    return found;
}

}  // namespace

TEST_CASE_FIXTURE(StoreFixture, "Many profiles at once are found like those saved one by one") {
    const auto made = many_profiles(2'500);
    REQUIRE(store::save_profiles(db(), made));
    const auto all = who_has(db(), "common");
    CHECK(all.size() == 2'500);
    CHECK(all.at("agent_0") == WordPlace::Capabilities);
    CHECK(all.at("agent_1030") == WordPlace::Interests);
    CHECK(all.at("agent_2048") == WordPlace::Summary);
    CHECK(who_has(db(), "own2499").size() == 1);
    CHECK(store::profiles_with_tag(db(), "tag")->size() == 2'500);

    Profile moved = made[1'030].profile;
    REQUIRE(store::save_profile(db(), moved, {{"tag"}, {{"common", WordPlace::Summary}}}));
    moved = made[1'031].profile;
    moved.is_active = false;
    REQUIRE(store::save_profile(db(), moved, made[1'031].keys));
    const auto changed = who_has(db(), "common");
    CHECK(changed.size() == 2'499);
    CHECK(changed.at("agent_1030") == WordPlace::Summary);
    CHECK_FALSE(changed.contains("agent_1031"));
    CHECK(who_has(db(), "own1030").empty());
    CHECK(who_has(db(), "own1031").empty());
}

TEST_CASE_FIXTURE(StoreFixture,
                  "A profile that occurs twice in one batch is stored as in its last row") {
    const std::vector<store::KeyedProfile> twice = {
        {sample_profile("a"),
         {{"x"}, {{"first", WordPlace::Summary}, {"both", WordPlace::Summary}}}},
        {sample_profile("a"), {{"y"}, {{"both", WordPlace::Interests}}}}};
    REQUIRE(store::save_profiles(db(), twice));
    CHECK(who_has(db(), "first").empty());
    CHECK(who_has(db(), "both").at("a") == WordPlace::Interests);
    CHECK(store::profiles_with_tag(db(), "x")->empty());
    REQUIRE(store::save_profiles(db(), {}));
    CHECK(*store::count_profiles(db(), "") == 1);
}

TEST_CASE_FIXTURE(StoreFixture, "Postings in an unknown format are reported, not skipped") {
    REQUIRE(store::save_profile(db(), sample_profile("a"), sample_keys()));
    {
        SQLite::Database raw(path().string(), SQLite::OPEN_READWRITE);
        raw.exec("update profile_posting set postings = '0x10' where word = 'seat'");
        raw.exec("update profile_posting set postings = '00' where word = '茶室'");
    }
    CHECK(store::profiles_with_word(db(), "seat").error().code == ErrorCode::Corrupt);
    CHECK(store::profiles_with_word(db(), "茶室").error().code == ErrorCode::Corrupt);
    CHECK_FALSE(store::save_profile(db(), sample_profile("a"), sample_keys()));
}

TEST_CASE("Profiles from before a migration are found by their words until changed") {
    test::TempDir dir;
    const auto file = dir.path() / "agent.db";
    {
        auto before = store::embedded_migrations();
        std::erase_if(before, [](const store::Migration& each) { return each.version > 12; });
        SQLite::Database raw(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
        REQUIRE(store::migrate(raw, file, before));
        for (const char* row : {"1, 'a'", "2, 'b'", "1500, 'c'"}) {
            raw.exec("insert into profile values (" + std::string(row) +
                     ", 'import', 'Bob', '', '', 1, 9, '[]', '[]', '{}', '')");
        }
        raw.exec(
            "insert into profile_word values ('tea', 1, 0), ('tea', 2, 1), ('tea', 1500, 2),"
            " ('茶室', 2, 2)");
    }
    const auto db = store::Database::open(file, store::Database::Mode::ReadWrite).value();
    CHECK(who_has(*db, "tea") == std::map<std::string, WordPlace>{{"a", WordPlace::Capabilities},
                                                                  {"b", WordPlace::Interests},
                                                                  {"c", WordPlace::Summary}});
    CHECK(who_has(*db, "茶室").size() == 1);
    REQUIRE(store::save_profile(*db, sample_profile("b"), {{}, {{"new", WordPlace::Summary}}}));
    CHECK(who_has(*db, "tea").size() == 2);
    CHECK(who_has(*db, "茶室").empty());
    CHECK(who_has(*db, "new").size() == 1);
}

TEST_CASE_FIXTURE(StoreFixture, "A profile is read as it was saved, and found by its keys") {
    CHECK_FALSE(store::get_profile(db(), "ag_bob")->has_value());
    REQUIRE(store::save_profile(db(), sample_profile("ag_bob"), sample_keys()).has_value());
    const auto found = store::get_profile(db(), "ag_bob");
    REQUIRE(found->has_value());
    CHECK((*found)->source == "import");
    CHECK((*found)->user_name == "Bob");
    CHECK((*found)->profile_summary == "我有一间茶室");
    CHECK((*found)->location == "北京");
    CHECK((*found)->tags == std::vector<std::string>{"场地提供", "Tea"});
    CHECK((*found)->capabilities_json == R"({"venue":"30 seats"})");
    CHECK((*found)->interests == std::vector<std::string>{"AI", "茶"});
    CHECK((*found)->availability == "周末");
    CHECK((*found)->is_active);
    CHECK((*found)->updated_at_ms == 9);

    const auto numbers = store::profiles_with_tag(db(), "tea");
    REQUIRE(numbers->size() == 1);
    const auto brief = store::profile_brief(db(), numbers->front());
    REQUIRE(brief->has_value());
    CHECK((*brief)->agent_id == "ag_bob");
    CHECK((*brief)->user_name == "Bob");
    CHECK((*brief)->location == "北京");
    CHECK((*brief)->availability == "周末");
    CHECK((*brief)->updated_at_ms == 9);
    const auto words = store::profiles_with_word(db(), "seat");
    REQUIRE(words->size() == 1);
    CHECK(words->front().profile == numbers->front());
    CHECK(words->front().place == WordPlace::Capabilities);
    CHECK(store::profiles_with_word(db(), "tea")->empty());
    CHECK_FALSE(store::profile_brief(db(), 77)->has_value());
}

TEST_CASE_FIXTURE(StoreFixture, "A profile that is saved again replaces the one before") {
    REQUIRE(store::save_profile(db(), sample_profile("ag_bob"), sample_keys()).has_value());
    const auto before = store::profiles_with_tag(db(), "tea");
    Profile changed = sample_profile("ag_bob", "market");
    changed.tags = {"摄影"};
    REQUIRE(store::save_profile(db(), changed, {{"摄影"}, {}}).has_value());
    CHECK(store::profiles_with_tag(db(), "tea")->empty());
    CHECK(store::profiles_with_word(db(), "茶室")->empty());
    CHECK(*store::profiles_with_tag(db(), "摄影") == *before);
    CHECK((*store::get_profile(db(), "ag_bob"))->source == "market");
    CHECK(*store::count_profiles(db(), "") == 1);
}

TEST_CASE_FIXTURE(StoreFixture, "A profile that is not active is kept and found by nothing") {
    Profile profile = sample_profile("ag_bob");
    REQUIRE(store::save_profile(db(), profile, sample_keys()).has_value());
    CHECK(store::known_locations(db())->size() == 1);
    profile.is_active = false;
    REQUIRE(store::save_profile(db(), profile, sample_keys()).has_value());
    CHECK_FALSE((*store::get_profile(db(), "ag_bob"))->is_active);
    CHECK(store::tags_in_use(db())->empty());
    CHECK(store::profiles_with_word(db(), "茶室")->empty());
    CHECK(store::known_locations(db())->empty());
}

TEST_CASE_FIXTURE(StoreFixture,
                  "Profiles are listed by id, of a source, with a tag, page by page") {
    for (const char* id : {"c", "a", "b"})
        REQUIRE(store::save_profile(db(), sample_profile(id), sample_keys()).has_value());
    REQUIRE(store::save_profile(db(), sample_profile("m", "market"), {{"rare"}, {}}).has_value());
    using Ids = std::vector<std::string>;
    CHECK(ids(store::list_profiles(db(), {})) == Ids{"a", "b", "c", "m"});
    CHECK(ids(store::list_profiles(db(), {.source = "import", .limit = 2})) == Ids{"a", "b"});
    CHECK(ids(store::list_profiles(db(), {.after = "b"})) == Ids{"c", "m"});
    CHECK(ids(store::list_profiles(db(), {.tag = "rare"})) == Ids{"m"});
    CHECK(*store::count_profiles(db(), "import") == 3);
    CHECK(*store::count_profiles(db(), "") == 4);
    const auto uses = store::tags_in_use(db());
    REQUIRE(uses->size() == 3);
    CHECK(uses->at(0).tag == "rare");
    CHECK(uses->at(1).tag == "tea");
    CHECK(uses->at(1).profiles == 3);
    CHECK(*store::known_locations(db()) == Ids{"北京"});
}

TEST_CASE_FIXTURE(StoreFixture,
                  "The profiles of a source are deleted with what they are found by") {
    REQUIRE(store::save_profile(db(), sample_profile("a"), sample_keys()).has_value());
    REQUIRE(store::save_profile(db(), sample_profile("m", "market"), sample_keys()).has_value());
    CHECK(*store::delete_profiles(db(), "import") == 1);
    CHECK(*store::delete_profiles(db(), "import") == 0);
    CHECK(ids(store::list_profiles(db(), {})) == std::vector<std::string>{"m"});
    CHECK(store::profiles_with_tag(db(), "tea")->size() == 1);
    CHECK(who_has(db(), "茶室").size() == 1);
}
