// Parts of market/api that need no server: limits, metrics, routes, schemas, cached agents.

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "market/api/agent_cache.h"
#include "market/api/metrics.h"
#include "market/api/rate_limiter.h"
#include "market/api/route_table.h"
#include "market/api/schema_texts.h"
#include "tests/support/manual_clock.h"
#include "tests/support/temp_dir.h"

using namespace a2h;
using namespace a2h::market;
using namespace std::chrono_literals;
using nlohmann::json;

namespace {

const RateLimiter::Time kStart{1000s};

bool taken(RateLimiter& limiter, std::string_view key, RateLimiter::Time now) {
    return limiter.take(key, now).count() == 0;
}

http::Request query_request(http::Fields query) {
    http::Request request;
    request.query = std::move(query);
    return request;
}

http::Request body_request(std::string body) {
    http::Request request;
    request.body = std::move(body);
    return request;
}

const json kSchema = json::parse(R"({"type":"object","properties":{
    "number":{"type":"integer","maximum":10},"flag":{"type":"boolean"},
    "text":{"type":"string"},"clearable":{"type":["string","null"]}}})");

json body(const std::string& text, Strictness strictness = Strictness::Platform) {
    const auto read = read_body(body_request(text), kSchema, strictness);
    return read ? *read : json(read.error().message);
}

}  // namespace

TEST_CASE("a burst may come at once, then the rate holds, for each key alone") {
    RateLimiter limiter(10, 3);
    for (int i = 0; i < 3; ++i)
        CHECK(taken(limiter, "a", kStart));
    CHECK(limiter.take("a", kStart) == 100ms);
    CHECK(limiter.take("a", kStart) == 100ms);  // asking costs nothing
    CHECK(taken(limiter, "b", kStart));
    CHECK(taken(limiter, "a", kStart + 100ms));
    CHECK_FALSE(taken(limiter, "a", kStart + 100ms));
    for (int i = 0; i < 3; ++i)
        CHECK(taken(limiter, "a", kStart + 10s));
    CHECK_FALSE(taken(limiter, "a", kStart + 10s));
}

TEST_CASE("a rate of 0 is no limit, and a burst below 1 permits one request") {
    RateLimiter none(0, 1);
    RateLimiter one(1, 0);
    for (int i = 0; i < 1000; ++i)
        REQUIRE(taken(none, "a", kStart));
    CHECK(taken(one, "a", kStart));
    CHECK_FALSE(taken(one, "a", kStart));
}

TEST_CASE("more keys than are kept do not stop the limiter") {
    RateLimiter limiter(1, 1);
    for (std::size_t i = 0; i < RateLimiter::kKeysMax + 10; ++i)
        REQUIRE(taken(limiter, std::to_string(i), kStart));
    CHECK_FALSE(taken(limiter, std::to_string(RateLimiter::kKeysMax + 9), kStart));
}

TEST_CASE("addresses of one IPv6 network are one key") {
    CHECK(address_key("2001:db8:1:2::1") == address_key("2001:db8:1:2:ffff::9"));
    CHECK(address_key("2001:db8:1:2::1") != address_key("2001:db8:1:3::1"));
    CHECK(address_key("192.0.2.1") == "192.0.2.1");
}

TEST_CASE("metrics count answers by route and status, and times in growing buckets") {
    Metrics metrics({"GET /a/{id}"});
    for (const int status : {200, 200, 418}) {
        metrics.began();
        metrics.ended(0, status, 300us);
    }
    metrics.began();
    metrics.ended(1, 404, 3s);
    const std::string text = metrics.text();
    for (const std::string line :
         {"a2h_market_requests_total{method=\"GET\",route=\"/a/{id}\",status=\"200\"} 2\n",
          "a2h_market_requests_total{method=\"GET\",route=\"/a/{id}\",status=\"0\"} 1\n",
          "a2h_market_requests_total{method=\"*\",route=\"none\",status=\"404\"} 1\n",
          "a2h_market_request_seconds_bucket{method=\"GET\",route=\"/a/{id}\",le=\"0.00025\"} 0\n",
          "a2h_market_request_seconds_bucket{method=\"GET\",route=\"/a/{id}\",le=\"0.0005\"} 3\n",
          "a2h_market_request_seconds_bucket{method=\"GET\",route=\"/a/{id}\",le=\"+Inf\"} 3\n",
          "a2h_market_request_seconds_bucket{method=\"*\",route=\"none\",le=\"2\"} 0\n",
          "a2h_market_request_seconds_count{method=\"*\",route=\"none\"} 1\n",
          "# TYPE a2h_market_request_seconds histogram\n", "a2h_market_requests_in_flight 0\n"}) {
        CAPTURE(line);
        CHECK(text.find(line) != std::string::npos);
    }
}

TEST_CASE("a path is found by its segments, and a fixed one is preferred") {
    const RouteTable table;
    const auto path_of = [&](std::string_view method, std::string_view path) {
        const auto found = table.find(method, path);
        return found.entry == nullptr ? std::string_view() : found.entry->route->path;
    };
    const std::string works = "/findu-user/api/v1/user/works/";
    CHECK(path_of("GET", works + "public") == works + "public");
    CHECK(path_of("DELETE", works + "public") == works + "{works_id}");
    CHECK(path_of("GET", works + "public/detail") == works + "{works_id}/detail");
    CHECK(path_of("HEAD", "/v1/agents/x") == "/v1/agents/{agent_id}");
    CHECK(table.find("GET", works + "w1/detail").arguments == std::vector<std::string>{"w1"});
    CHECK(path_of("GET", works + "/detail").empty());
    for (const char* path : {"", "/", "//", "/v1", "/v1/agents/x/y", "/V1/agents/x", "v1//x"}) {
        CAPTURE(path);
        CHECK(path_of("GET", path).empty());
    }
    const auto wrong_method = table.find("PATCH", "/v1/agents");
    CHECK(wrong_method.entry == nullptr);
    CHECK(wrong_method.allowed_methods == "POST");
}

TEST_CASE("every row compiles, has a name of its own and says what it is for") {
    const RouteTable table;
    CHECK(table.names().size() == table.size());
    for (const Resource& resource : all_resources()) {
        CHECK_FALSE(resource.tag.empty());
        for (const Route& route : resource.routes) {
            CAPTURE(route.path);
            CHECK(route.summary.ends_with('.'));
            CHECK((route.form == Form::Raw || !route.data_schema.empty()));
            CHECK(route.path.starts_with('/'));
        }
    }
}

TEST_CASE("a query's texts become what the schema wants") {
    const auto read = [](http::Fields query) {
        const auto result = read_query(query_request(std::move(query)), kSchema);
        return result ? *result : json(result.error().message);
    };
    CHECK(read({{"number", "7"}, {"flag", "true"}, {"text", "7"}, {"other", "x"}}) ==
          json{{"number", 7}, {"flag", true}, {"text", "7"}, {"other", "x"}});
    CHECK(read({{"number", ""}}) == json::object());
    CHECK(read({{"number", "7x"}}) == "number is \"7x\"; it must be of type integer");
    CHECK(read({{"number", "11"}}) == "number is 11; allowed is at most 10");
    CHECK(read({{"text", "a"}, {"text", "b"}}) == "text occurs twice");
}

TEST_CASE("a null of the body counts as absent where the schema does not allow it") {
    CHECK(body(R"({"number":null,"clearable":null})") == json{{"clearable", nullptr}});
    CHECK(body("") == json::object());
}

TEST_CASE("digits pass for a number on the platform's paths only") {
    CHECK(body(R"({"number":"7","text":"7"})") == json{{"number", 7}, {"text", "7"}});
    CHECK(body(R"({"number":"7"})", Strictness::Own) ==
          "number is \"7\"; it must be of type integer");
}

TEST_CASE("only a JSON object is accepted as a body") {
    for (const char* text : {"[]", "{", "null", "{\"a\":1,\"a\":2}", "\xff"}) {
        CAPTURE(text);
        CHECK(body(text).is_string());
    }
}

TEST_CASE("our own paths close their objects at every level, also behind a reference") {
    const std::string text = R"({"type":"object","properties":{
        "a":{"type":"object","properties":{}},
        "open":{"type":"object","properties":{},"additionalProperties":true},
        "page":{"$ref":"#/components/schemas/PageNumber"}}})";
    const json own = compile_schema(text, Strictness::Own);
    CHECK(own["additionalProperties"] == false);
    CHECK(own["properties"]["a"]["additionalProperties"] == false);
    CHECK(own["properties"]["open"]["additionalProperties"] == true);
    CHECK(own["properties"]["page"]["type"] == "integer");
    CHECK_FALSE(compile_schema(text, Strictness::Platform).contains("additionalProperties"));
}

TEST_CASE("an agent is read again when it is no longer fresh or was forgotten") {
    const test::TempDir dir;
    const auto database = *db::open_sqlite(dir.path() / "market.db");
    ManualClock clock(1'760'000'000'000);
    AgentCache agents(*database, clock);
    Agent agent;
    agent.agent_id = "ag_1";
    REQUIRE(agents.find("ag_1").value() == nullptr);  // and that is not remembered
    REQUIRE(database->write([&](db::Transaction& transaction) -> Result<void> {
        const auto added = store::add_agent(transaction, agent);
        return added ? Result<void>() : fail(added.error());
    }));
    REQUIRE_FALSE((*agents.find("ag_1"))->revoked);
    REQUIRE(database->write([&](db::Transaction& transaction) {
        return store::revoke_agent(transaction, "ag_1", clock.now_ms());
    }));
    CHECK_FALSE((*agents.find("ag_1"))->revoked);
    clock.advance(AgentCache::kFreshFor);
    CHECK((*agents.find("ag_1"))->revoked);
    static_assert(AgentCache::kFreshFor < 1s);
}

TEST_CASE("a forgotten agent is read at once") {
    const test::TempDir dir;
    const auto database = *db::open_sqlite(dir.path() / "market.db");
    ManualClock clock(1'760'000'000'000);
    AgentCache agents(*database, clock);
    Agent agent;
    agent.agent_id = "ag_1";
    REQUIRE(database->write([&](db::Transaction& transaction) -> Result<void> {
        A2H_TRY(store::add_agent(transaction, agent));
        return {};
    }));
    REQUIRE_FALSE((*agents.find("ag_1"))->revoked);
    REQUIRE(database->write([&](db::Transaction& transaction) {
        return store::revoke_agent(transaction, "ag_1", clock.now_ms());
    }));
    agents.forget("ag_1");
    CHECK((*agents.find("ag_1"))->revoked);
}
