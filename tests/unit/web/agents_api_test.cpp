// /api/v1/agents: which operation a request becomes, and how its result is answered.
#include "daemon/web/agents_api.h"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

using namespace a2h;
using nlohmann::json;
using web::AgentsApi;

namespace {

struct AgentsBench {
    static http::Request request(const std::string& body, const std::string& type) {
        http::Request made;
        made.body = body;
        made.headers = {{"content-type", type}};
        return made;
    }
    static http::Request with_json(const std::string& body) {
        return request(body, "application/json");
    }
    static http::Request asking(std::vector<std::pair<std::string, std::string>> query) {
        http::Request made;
        made.query = std::move(query);
        return made;
    }
    void check_refused(const http::Response& response, int status, std::string_view code) {
        CHECK(response.status == status);
        CHECK(json::parse(response.body)["error"]["code"] == code);
    }

    std::vector<std::pair<std::string, json>> calls;
    json result = {{"ok", true}, {"data", {{"imported", 1}}}};
    AgentsApi api{[this](std::string_view action, const std::string& arguments) {
                      calls.emplace_back(std::string(action), json::parse(arguments));
                      return Result<std::string>(result.dump());
                  },
                  [](std::string_view id) -> Result<json> {
                      if (id == "ag_bob") return json{{"agent_id", "ag_bob"}};
                      return fail(ErrorCode::NotFound, "no agent of that id is known");
                  }};
};

}  // namespace

TEST_CASE("a list of agents takes its filters from the query") {
    AgentsBench bench;
    bench.result["data"] = {{"items", json::array()}, {"total", 0}, {"more", false}};
    const auto all = bench.api.list(AgentsBench::asking({}));
    CHECK(all.status == 200);
    CHECK(json::parse(all.body) == bench.result["data"]);
    bench.api.list(AgentsBench::asking({{"tag", "摄影"},
                                        {"source", "import"},
                                        {"after", "ag_a"},
                                        {"limit", "5"},
                                        {"agent", "ag_x"}}));
    bench.api.list(AgentsBench::asking({{"limit", "5x"}}));
    CHECK(bench.calls ==
          std::vector<std::pair<std::string, json>>{
              {"profile.list", json::object()},
              {"profile.list",
               {{"tag", "摄影"}, {"source", "import"}, {"after", "ag_a"}, {"limit", 5}}},
              {"profile.list", {{"limit", "5x"}}}});
}

TEST_CASE("an agent that is not known is E008") {
    AgentsBench bench;
    CHECK(json::parse(bench.api.show("ag_bob").body)["agent_id"] == "ag_bob");
    bench.check_refused(bench.api.show("ag_none"), 404, "E008");
    bench.result = {{"ok", false}, {"error", {{"code", "PLATFORM_410"}, {"message", "none"}}}};
    bench.check_refused(bench.api.list(AgentsBench::asking({})), 404, "E008");
}

TEST_CASE("an agent is put under the id of its path and no other") {
    AgentsBench bench;
    const auto put = [&](const std::string& body) {
        return bench.api.put(AgentsBench::with_json(body), "ag_bob");
    };
    CHECK(put(R"({"user_name":"Bob"})").status == 200);
    CHECK(put(R"({"agent_id":"ag_bob","user_name":"Bob"})").status == 200);
    const json expected{{"profiles", {{{"agent_id", "ag_bob"}, {"user_name", "Bob"}}}}};
    CHECK(bench.calls == std::vector<std::pair<std::string, json>>{{"profile.import", expected},
                                                                   {"profile.import", expected}});
    bench.check_refused(put(R"({"agent_id":"ag_eve","user_name":"Bob"})"), 400, "invalid_argument");
    bench.check_refused(put(R"({"agent_id":7})"), 400, "invalid_argument");
    for (const char* body : {"", "{", "[]", "7"})
        bench.check_refused(put(body), 400, "invalid_argument");
    CHECK(bench.calls.size() == 2);
    bench.result = {{"ok", false}, {"error", {{"code", "invalid_argument"}, {"message", "tags"}}}};
    bench.check_refused(put("{}"), 400, "invalid_argument");
}

TEST_CASE("a list is imported bare or as a member, and nothing else of the body is passed on") {
    AgentsBench bench;
    const auto import = [&](const std::string& body) {
        return bench.api.import(AgentsBench::with_json(body));
    };
    CHECK(import(R"([{"agent_id":"ag_a"}])").status == 200);
    CHECK(import(R"({"profiles":[],"first_place":11,"agent":"ag_x","face":"assistant"})").status ==
          200);
    CHECK(bench.calls ==
          std::vector<std::pair<std::string, json>>{
              {"profile.import", {{"profiles", {{{"agent_id", "ag_a"}}}}}},
              {"profile.import", {{"profiles", json::array()}, {"first_place", 11}}}});
    bench.check_refused(import("{"), 400, "invalid_argument");
    bench.check_refused(bench.api.import(AgentsBench::request("[]", "text/plain")), 400,
                        "invalid_argument");
    CHECK(bench.calls.size() == 2);
}

TEST_CASE(
    "profiles for a trial are made as asked, and what is there is removed without arguments") {
    AgentsBench bench;
    bench.api.generate(AgentsBench::with_json(R"({"count":3,"seed":2,"agent":"ag_x"})"));
    bench.api.reset(AgentsBench::with_json("{}"));
    CHECK(bench.calls == std::vector<std::pair<std::string, json>>{
                             {"profile.generate", {{"count", 3}, {"seed", 2}}},
                             {"profile.reset", json::object()}});
    for (const char* body : {"", "[]", "x"}) {
        bench.check_refused(bench.api.generate(AgentsBench::with_json(body)), 400,
                            "invalid_argument");
        bench.check_refused(bench.api.reset(AgentsBench::with_json(body)), 400, "invalid_argument");
    }
    CHECK(bench.calls.size() == 2);
}
