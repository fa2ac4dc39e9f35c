#include "core/platform/login.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/support/fake_platform.h"

using namespace a2h;
using nlohmann::json;

namespace {

constexpr UnixMs kNow = 1'760'000'000'000;

const std::string kBegin = "POST /v1/auth/init-login";
const std::string kPoll = "GET /findu-user/api/v1/public/user/agent/auth";

struct Scene {
    test::FakePlatform platform{kNow};

    Result<platform::LoginStart> begin() {
        return platform::begin_login(platform.http(), platform.url() + "/", kNow);
    }
    Result<std::optional<platform::Login>> poll() {
        return platform::poll_login(platform.http(), platform.url(), "c/1");
    }
};

}  // namespace

TEST_CASE("a login begins unsigned, with a made-up hardware address") {
    Scene s;
    s.platform.answer_anybody(kBegin, {{"code", "c1"}, {"url", "https://x/login/p1"}});
    const auto start = s.begin();
    REQUIRE_MESSAGE(start.has_value(), start.error().message);
    CHECK(start->code == "c1");
    CHECK(start->url == "https://x/login/p1");
    const auto seen = s.platform.seen().back();
    CHECK(seen.signature.empty());
    CHECK(seen.body.get<std::string>().starts_with("timestamp=1760000000&mac=02%3A"));
    s.platform.answer_anybody(kBegin,
                              {{"code", "200"}, {"data", {{"code", "c2"}, {"url", "http://x/p"}}}});
    CHECK(s.begin()->code == "c2");
}

TEST_CASE("an address that a browser should not open is Corrupt") {
    Scene s;
    for (const json& body : {json{{"code", "c"}, {"url", "javascript:alert(1)"}},
                             json{{"code", ""}, {"url", "https://x"}}, json::object()}) {
        s.platform.answer_anybody(kBegin, body);
        CHECK(s.begin().error().code == ErrorCode::Corrupt);
    }
}

TEST_CASE("data is empty until somebody confirms; then it holds the account") {
    Scene s;
    for (const json& data : {json(nullptr), json::object()}) {
        s.platform.answer_anybody(kPoll, {{"code", "200"}, {"data", data}});
        const auto answer = s.poll();
        REQUIRE(answer);
        CHECK_FALSE(answer->has_value());
    }
    s.platform.answer_anybody(
        kPoll, {{"code", "200"}, {"data", {{"agentId", "ag_new"}, {"secret", "k"}}}});
    const auto answer = s.poll();
    REQUIRE(answer);
    REQUIRE(answer->has_value());
    CHECK((*answer)->agent_id == "ag_new");
    CHECK((*answer)->agent_key == "k");
    CHECK((*answer)->mqtt_url.empty());
    CHECK(s.platform.seen().back().call.ends_with("?code=c%2F1"));
}

TEST_CASE("an account that cannot be used is Corrupt, an ended login NotFound") {
    Scene s;
    for (const json& data :
         {json{{"agentId", "../x"}, {"secret", "k"}}, json{{"agentId", "ag_new"}, {"secret", ""}},
          json{{"agentId", "ag_new"}, {"secret", "k"}, {"apiUrl", "file:///"}}}) {
        s.platform.answer_anybody(kPoll, {{"code", "200"}, {"data", data}});
        CHECK(s.poll().error().code == ErrorCode::Corrupt);
    }
    s.platform.refuse(kPoll, 404, "404");
    CHECK(s.poll().error().code == ErrorCode::NotFound);
    s.platform.refuse(kPoll, 503, "503");
    CHECK(s.poll().error().code == ErrorCode::Unavailable);
}

TEST_CASE("the public platform has a site of its own for logins") {
    CHECK(platform::login_base_of("https://api.a2hmarket.ai/") == "https://web.a2hmarket.ai");
    CHECK(platform::login_base_of("http://127.0.0.1:1/") == "http://127.0.0.1:1");
}
