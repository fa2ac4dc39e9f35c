// The profiles of agents under /v1, against the real market.

#include <doctest/doctest.h>

#include "tests/integration/market/exchange.h"

using namespace a2h;
using nlohmann::json;
using test::call;
using test::plain_agent;
using test::server;
using test::unique;

namespace {

std::string profile_path(const platform::Account& agent) {
    return "/v1/agents/" + agent.agent_id + "/profile";
}

json full_profile(const std::string& tag) {
    return {{"user_name", "Bob 鲍勃"},
            {"profile_summary", "我有一间茶室"},
            {"location", "北京"},
            {"tags", {tag, " ", "茶"}},
            {"capabilities", {{"场地", {{"seats", 30}}}}},
            {"interests", {"AI"}},
            {"availability", "周末"}};
}

std::vector<std::string> ids_in(const json& data) {
    std::vector<std::string> ids;
    for (const json& item : data["items"])
        ids.push_back(item["agent_id"]);
    return ids;
}

using Ids = std::vector<std::string>;

}  // namespace

TEST_CASE("an agent publishes its profile, every agent reads it, nobody else writes it") {
    const auto bob = plain_agent(server(), "Bob");
    const auto ann = plain_agent(server(), "Ann");
    const std::string path = profile_path(bob);
    CHECK(call(ann, "GET", path).code() == "PLATFORM_410");
    const auto set = call(bob, "PUT", path, full_profile("Venue"));
    REQUIRE(set.status == 200);
    CHECK(set.data()["user_name"] == "Bob 鲍勃");
    CHECK(set.data()["tags"] == json{"Venue", "茶"});
    CHECK(set.data()["capabilities"]["场地"]["seats"] == 30);
    CHECK(set.data()["is_active"] == true);
    CHECK(call(ann, "GET", path).data() == set.data());
    CHECK(call(ann, "PUT", path, full_profile("x")).code() == "PLATFORM_401");
    CHECK(test::send({.url = server().url() + path}).status == 401);
    CHECK(test::send({.url = server().url() + "/v1/profiles"}).status == 401);

    const auto emptied = call(bob, "PUT", path, {{"is_active", false}});
    CHECK(emptied.data()["user_name"] == "Bob");
    CHECK(emptied.data()["tags"].empty());
    CHECK(emptied.data()["is_active"] == false);
}

TEST_CASE("profiles are found by folded tags, and by what their agents have as capabilities") {
    const std::string tag = unique("Ｖenue");
    const std::string type = unique("Hosting");
    const auto bob = plain_agent(server(), "Bob");
    const auto eve = test::supplier("Eve", type, {tag});
    call(bob, "PUT", profile_path(bob), full_profile(tag));
    const auto found =
        call(bob, "GET", "/v1/profiles?tag=%EF%BC%B6" + tag.substr(std::string("Ｖ").size()));
    REQUIRE(ids_in(found.data()) == Ids{eve.agent_id, bob.agent_id});
    const json& of_eve = found.data()["items"][0];
    CHECK(of_eve["user_name"] == "Eve");
    CHECK(of_eve["published_capabilities"][0]["type"] == type);
    CHECK(ids_in(call(bob, "GET", "/v1/profiles?tag=" + type).data()) == Ids{eve.agent_id});
    test::set_capabilities(eve, json::array());
    CHECK(call(bob, "GET", "/v1/profiles?tag=" + type).data()["items"].empty());
}

TEST_CASE("reading on after the last profile gives each later change once") {
    const std::string tag = unique("page");
    std::vector<platform::Account> agents;
    for (int i = 0; i < 5; ++i) {
        agents.push_back(plain_agent(server(), "Agent"));
        call(agents.back(), "PUT", profile_path(agents.back()), full_profile(tag));
    }
    Ids seen;
    std::string from = "&updated_after=0";
    for (bool more = true; more;) {
        const auto page =
            call(agents[0], "GET", "/v1/profiles?page_size=2&tag=" + tag + from).data();
        REQUIRE_FALSE(page["items"].empty());
        CHECK(page["items"].size() <= 2);
        for (const std::string& id : ids_in(page))
            seen.push_back(id);
        const json& last = page["items"].back();
        from = "&updated_after=" + std::to_string(last["updated_at_ms"].get<std::int64_t>()) +
               "&after=" + last["agent_id"].get<std::string>();
        more = page["more"];
    }
    CHECK(seen.size() == 5);
    CHECK(std::set<std::string>(seen.begin(), seen.end()).size() == 5);
    const std::string behind = "/v1/profiles?tag=" + tag + from;
    CHECK(call(agents[0], "GET", behind).data()["items"].empty());
    call(agents[1], "PUT", profile_path(agents[1]), full_profile(tag));
    CHECK(ids_in(call(agents[0], "GET", behind).data()) == Ids{agents[1].agent_id});
}

TEST_CASE("changes of one millisecond come one behind the other, whatever the ids") {
    const std::string tag = unique("quick");
    std::vector<platform::Account> agents;
    for (int i = 0; i < 3; ++i)
        agents.push_back(plain_agent(server(), "Agent"));
    std::set<std::int64_t> times;
    for (int round = 0; round < 10; ++round) {
        for (const auto& agent : agents) {
            const auto set = call(agent, "PUT", profile_path(agent), full_profile(tag));
            times.insert(set.data()["updated_at_ms"].get<std::int64_t>());
        }
    }
    CHECK(times.size() == 30);
    CHECK(ids_in(call(agents[0], "GET", "/v1/profiles?tag=" + tag).data()) ==
          Ids{agents[0].agent_id, agents[1].agent_id, agents[2].agent_id});
}

TEST_CASE("a profile that is too large or of another form is refused") {
    const auto bob = plain_agent(server(), "Bob");
    const std::string path = profile_path(bob);
    const auto refused = [&](const json& body) {
        const auto answer = call(bob, "PUT", path, body);
        CAPTURE(answer.text);
        CHECK(answer.status == 400);
    };
    refused({{"tag", {"a"}}});
    refused({{"tags", "a"}});
    refused({{"tags", std::vector<std::string>(31, "a")}});
    refused({{"capabilities", {{"a", std::string(9'000, 'a')}}}});
    refused({{"profile_summary", std::string(2'001, 'a')}});
    CHECK(call(bob, "GET", "/v1/profiles?page_size=101").status == 400);
    CHECK(call(bob, "GET", path).code() == "PLATFORM_410");
}
