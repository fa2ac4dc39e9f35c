// /api/v1/agents of a real a2hd: agents that can be invited, listed, imported and removed over
// HTTP.
#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/integration/negotiation_http/place.h"

using a2h::http::ClientResponse;
using a2h::test::Headers;
using a2h::test::kNoToken;
using a2h::test::Place;
using nlohmann::json;

namespace {

constexpr const char* kAgents = "/api/v1/agents";
constexpr const char* kTokenLine = "api_token = \"0123456789abcdef\"\n";
const Headers kShown = {{"Authorization", "Bearer 0123456789abcdef"}};

json asked(const ClientResponse& response) {
    REQUIRE_MESSAGE(response.status == 200, response.body);
    return json::parse(response.body);
}

json person(const std::string& agent_id) {
    return {{"agent_id", agent_id},      {"user_name", "Bob"},
            {"profile_summary", "茶室"}, {"location", "北京"},
            {"tags", {"场地提供"}},      {"capabilities", {{"venue", {{"seats", 30}}}}},
            {"interests", {"AI"}},       {"availability", "周末"}};
}

}  // namespace

TEST_CASE("agents are generated, imported, listed, changed and removed") {
    Place place(kTokenLine);
    const auto ask = [&](const std::string& method, const std::string& path,
                         const json& body = {}) {
        return asked(place.ask(method, kAgents + path, body.is_null() ? "" : body.dump(), kShown));
    };
    CHECK(ask("GET", "") == json{{"items", json::array()}, {"total", 0}, {"more", false}});
    const json made = ask("POST", "/generate", {{"count", 3}, {"seed", 5}});
    REQUIRE(made["profiles"].size() == 3);
    CHECK(ask("GET", "")["total"] == 0);  // nothing was imported by that
    CHECK(ask("POST", "/import", made) == json{{"imported", 3}});
    CHECK(ask("POST", "/import", json::array({person("ag_bob")})) == json{{"imported", 1}});

    const json page = ask("GET", "?limit=3");
    CHECK(page["items"].size() == 3);
    CHECK(page["total"] == 4);
    CHECK(page["more"] == true);
    const std::string last = page["items"][2]["agent_id"];
    CHECK(ask("GET", "?after=" + last)["items"].size() == 1);
    CHECK(ask("GET", "?tag=%E5%9C%BA%E5%9C%B0%E6%8F%90%E4%BE%9B&source=import")["items"].size() >=
          1);
    CHECK(ask("GET", "?source=market")["items"].empty());

    json bob = ask("GET", "/ag_bob");
    CHECK(bob["source"] == "import");
    CHECK(bob["is_active"] == true);
    CHECK(bob["updated_at"].get<std::string>().ends_with("Z"));
    const json expected = person("ag_bob");
    for (const auto& [name, value] : expected.items())
        CHECK_MESSAGE(bob[name] == value, name);
    const json put = ask("PUT", "/ag_bob", {{"user_name", "Bob"}, {"tags", {"摄影"}}});
    CHECK(put["tags"] == json{"摄影"});
    CHECK(put["location"] == "");
    CHECK(ask("GET", "/ag_bob") == put);
    CHECK(ask("PUT", "/ag_eve", {{"user_name", "Eve"}})["agent_id"] == "ag_eve");
    CHECK(ask("POST", "/reset", json::object()) == json{{"removed", 5}});
    CHECK(ask("GET", "")["total"] == 0);
}

TEST_CASE("an agent imported over HTTP is found by a demand") {
    Place place;
    asked(place.ask("POST", std::string(kAgents) + "/import",
                    json{{"profiles", {person("ag_bob")}}}.dump()));
    const json submitted = place.submit("想在北京办一场聚会，需要场地提供");
    CHECK(submitted["understanding"]["capability_tags"] == json{"场地提供"});
    CHECK(a2h::test::eventually([&] {
        const json candidates = place.demand(submitted["demand_id"])["candidates"];
        return candidates.size() == 1 && candidates[0]["agent_id"] == "ag_bob";
    }));
}

TEST_CASE("errors about agents name what is wrong, and change nothing") {
    Place place(kTokenLine);
    const auto refused = [&](const std::string& method, const std::string& path,
                             const std::string& body, int status, std::string_view code) {
        CAPTURE(path);
        CAPTURE(body.substr(0, 60));
        const auto response = place.ask(method, kAgents + path, body, kShown);
        place.check_refused(response, status, code);
        return response.body;
    };
    refused("GET", "/ag_nobody", "", 404, "E008");
    for (const char* bad : {"{", "7", "{}", R"({"profiles":{}})", R"([{"agent_id":"x"}])"})
        refused("POST", "/import", bad, 400, "invalid_argument");
    json wrong = person("ag_eve");
    wrong["tags"] = "摄影";
    const json both = {person("ag_bob"), wrong};
    CHECK(refused("POST", "/import", json{{"profiles", both}, {"first_place", 11}}.dump(), 400,
                  "invalid_argument")
              .find("entry 12: tags must be a list of texts") != std::string::npos);
    refused("PUT", "/ag_bob", R"({"user_name":"Bob","unknown":1})", 400, "invalid_argument");
    refused("PUT", "/ag_bob", person("ag_eve").dump(), 400, "invalid_argument");
    refused("POST", "/generate", R"({"count":1001})", 400, "invalid_argument");
    refused("GET", "?limit=0", "", 400, "invalid_argument");
    refused("GET", "?source=elsewhere", "", 400, "invalid_argument");
    refused("DELETE", "/ag_bob", "", 405, "method_not_allowed");
    refused("GET", "/reset", "", 405, "method_not_allowed");
    refused("GET", "/a/b", "", 404, "not_found");
    const std::string large(600 * 1024, ' ');
    CHECK(place.ask("POST", std::string(kAgents) + "/import", large, kShown).status == 413);
    const json submitted{{"raw_input", "a party"}, {"agent_id", "ag_nobody"}};
    place.check_refused(place.ask("POST", "/api/v1/demand/submit", submitted.dump(), kShown), 404,
                        "E008");
    CHECK(place.daemon.call_human("profile.list")["data"]["total"] == 0);
}

TEST_CASE("foreign host names, foreign pages and requests without token change no agents") {
    Place place(std::string(kTokenLine) + "cors_origins = [\"http://localhost:3000\"]\n");
    const std::string import = std::string(kAgents) + "/import";
    const std::string body = json{person("ag_bob")}.dump();
    const auto with = [&](const std::string& name, const std::string& value) {
        auto headers = kShown;
        headers.emplace_back(name, value);
        return place.ask("POST", import, body, headers);
    };
    place.check_refused(place.ask("POST", import, body, kNoToken), 401, "unauthenticated");
    place.check_refused(place.ask("GET", kAgents, {}, kNoToken), 401, "unauthenticated");
    place.check_refused(place.ask("POST", std::string(kAgents) + "/reset", "{}", kNoToken), 401,
                        "unauthenticated");
    CHECK(with("Host", "evil.example").status == 421);
    place.check_refused(with("Origin", "http://evil.example"), 403, "permission_denied");
    place.check_refused(with("Sec-Fetch-Site", "cross-site"), 403, "permission_denied");
    CHECK(place.daemon.call_human("profile.list")["data"]["total"] == 0);
    CHECK(with("Origin", "http://localhost:3000").status == 200);
    CHECK(place.daemon.call_human("profile.list")["data"]["total"] == 1);
}
