#include "daemon/collab/profile_file.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

using namespace a2h;
using nlohmann::json;

namespace {

json bob() {
    return {
        {"agent_id", "ag_bob"}, {"user_name", "Bob"},         {"profile_summary", "我有一间茶室"},
        {"location", "北京"},   {"tags", {"场地提供", "茶"}}, {"capabilities", {{"场地", "30人"}}},
        {"interests", {"AI"}},  {"availability", "周末"}};
}

std::string error_of(const json& from) {
    const auto read = collab::read_profiles(from);
    REQUIRE_FALSE(read.has_value());
    CHECK(read.error().code == ErrorCode::InvalidArgument);
    return read.error().message;
}

json with(const char* member, const json& value) {
    json changed = bob();
    changed[member] = value;
    return json::array({bob(), changed});
}

}  // namespace

TEST_CASE("Profiles are read from a list or an object with one, and written as they were") {
    for (const json& from : {json::array({bob()}), json{{"profiles", json::array({bob()})}}}) {
        const auto read = collab::read_profiles(from);
        REQUIRE(read.has_value());
        REQUIRE(read->size() == 1);
        CHECK(read->front().tags == std::vector<std::string>{"场地提供", "茶"});
        CHECK(read->front().capabilities_json == R"({"场地":"30人"})");
        CHECK(collab::to_json(read->front()) == bob());
    }
    CHECK(collab::read_profiles(json::array())->empty());
}

TEST_CASE("A profile needs an id and a name only, and white space at the ends goes") {
    const auto read =
        collab::read_profile({{"agent_id", "ag_1"}, {"user_name", " Bob "}, {"tags", nullptr}});
    REQUIRE(read.has_value());
    CHECK(read->agent_id == "ag_1");
    CHECK(read->user_name == "Bob");
    CHECK(read->tags.empty());
    CHECK(read->capabilities_json == "{}");
}

TEST_CASE("An error names the entry and the member") {
    CHECK(error_of({{"profile", 1}}).find("must be a list") != std::string::npos);
    CHECK(error_of(json::array({bob(), 7})) == "entry 2: it must be an object");
    CHECK(error_of(json::array({{{"user_name", "Bob"}}})) == "entry 1: agent_id is missing");
    for (const char* id : {" ag_bob2", "ag_bob2\n", "\u3000ag_bob2"}) {
        CHECK(error_of(with("agent_id", id)) ==
              "entry 2: agent_id begins or ends with white space");
    }
    CHECK(error_of(with("user_name", " ")) == "entry 2: user_name is empty");
    CHECK(error_of(with("location", 3)) == "entry 2: location must be a text");
    CHECK(error_of(with("tags", "茶")) == "entry 2: tags must be a list of texts");
    CHECK(error_of(with("tags", {"茶", 1})) == "entry 2: tags: each item must be a text");
    CHECK(error_of(with("tags", std::vector<std::string>(31, "a"))) ==
          "entry 2: tags has more than 30 items");
    CHECK(error_of(with("interests", {std::string(101, 'a')})) ==
          "entry 2: interests: each item has more than 100 characters");
    CHECK(error_of(with("profile_summary", std::string(2'001, 'a'))) ==
          "entry 2: profile_summary has more than 2000 characters");
    CHECK(error_of(with("capabilities", {"a"})) == "entry 2: capabilities must be an object");
    CHECK(error_of(with("capabilities", {{"a", std::string(9'000, 'a')}})) ==
          "entry 2: capabilities has more than 8192 bytes");
    for (const char* id :
         {"a/b", "bob", "user_agent_bob", "ag_", "ag_bob_lee", "ag_bob#", "ag_茶"}) {
        CHECK(error_of(with("agent_id", id)) ==
              "entry 2: agent_id is not an agent id: it must be ag_ followed by 1 to 48 letters "
              "and digits");
    }
    CHECK(error_of(with("tag", {"a"})) == "entry 2: tag is not a member of a profile");
    CHECK(error_of(json::array({bob(), bob()})) == "entry 2: agent_id ag_bob occurs twice");
    CHECK(error_of(json::array_t(10'001, json())).find("more than 10000") != std::string::npos);
}

TEST_CASE("Members that a market adds to a profile are ignored") {
    json entry = bob();
    entry["updated_at"] = "2026-01-01T00:00:00Z";
    CHECK_FALSE(collab::read_profile(entry).has_value());
    CHECK(collab::read_profile(entry, true).has_value());
}
