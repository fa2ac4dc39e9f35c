// Login through a browser, through the real market.

#include <doctest/doctest.h>

#include "core/base/ids.h"
#include "tests/integration/market/login_steps.h"
#include "tests/integration/market/shared_market.h"
#include "tests/support/market_http.h"

using namespace a2h;
using nlohmann::json;
using test::server;
using namespace test::login;

TEST_CASE("a person confirms on the page and the program gets working credentials, once") {
    const auto login = begin();
    CHECK(poll(login.code).data() == json::object());
    const auto page = open(login.url);
    CHECK(poll(login.code).data() == json::object());
    const auto done = answer(login.url, page, "choice=create&name=%E5%AE%89&lang=en");
    CHECK_MESSAGE(done.status == 200, done.text);
    const auto polled = poll(login.code);
    REQUIRE(polled.status == 200);
    const json data = polled.data();
    CHECK(is_agent_id(data["agentId"].get<std::string>()));
    CHECK(data["apiUrl"] == server().url());
    CHECK(data["mqttUrl"] == server().mqtt_url());
    // Another published client reads the same values under these names.
    CHECK(data["api_url"] == data["apiUrl"]);
    CHECK(data["mqtt_url"] == data["mqttUrl"]);
    const platform::Account account{
        server().url(), data["agentId"], {.agent_key = data["secret"], .key_pair = {}}};
    const auto profile = test::call(account, "GET", "/findu-user/api/v1/user/profile/public");
    CHECK(profile.data()["nickname"] == "安");
    CHECK(poll(login.code).status == 404);
    CHECK(test::send({.url = login.url}).status == 404);
}

TEST_CASE("the address of the login page does not give the credentials") {
    const auto login = begin();
    CHECK(login.url.find(login.code) == std::string::npos);
    REQUIRE(answer(login.url, open(login.url), "choice=create&name=Ann").status == 200);
    CHECK(poll(login.url.substr(login.url.rfind('/') + 1)).status == 404);
    CHECK(poll(login.code).status == 200);
}

TEST_CASE("a form that was not shown to this browser confirms nothing") {
    const auto login = begin();
    const auto page = open(login.url);
    const auto other = open(login.url);
    const auto post = [&login](const std::string& cookie, const std::string& token) {
        return answer(login.url, {cookie, token, {}}, "choice=create&name=Ann").status;
    };
    CHECK(post("", page.form_token) == 403);
    CHECK(post(other.cookie, page.form_token) == 403);
    CHECK(post(page.cookie, "") == 403);
    const auto elsewhere = begin();
    CHECK(answer(elsewhere.url, page, "choice=create&name=Ann").status == 403);
    CHECK(poll(login.code).data() == json::object());
    CHECK(poll(elsewhere.code).data() == json::object());
    CHECK(post("x=1; " + page.cookie + "; y=2", page.form_token) == 200);
}

TEST_CASE("an agent that exists is chosen with its key, and five wrong keys end the login") {
    const auto ann = test::plain_agent(server(), "Ann");
    const auto login = begin();
    const auto right =
        "choice=existing&agent_id=" + ann.agent_id + "&agent_key=" + ann.keys.agent_key;
    CHECK(answer(login.url, open(login.url), right + "x").status == 400);
    CHECK(
        answer(login.url, open(login.url), "choice=existing&agent_id=ag_none&agent_key=").status ==
        400);
    REQUIRE(answer(login.url, open(login.url), right).status == 200);
    CHECK(poll(login.code).data()["agentId"] == ann.agent_id);

    const auto guessed = begin();
    for (int i = 0; i < 4; ++i)
        CHECK(answer(guessed.url, open(guessed.url), right + "x").status == 400);
    const auto page = open(guessed.url);
    answer(guessed.url, page, right + "x");
    CHECK(answer(guessed.url, page, right).status == 404);
    CHECK(poll(guessed.code).status == 404);
}

TEST_CASE("the first of two simultaneous answers counts") {
    const auto login = begin();
    const auto first = open(login.url);
    const auto second = open(login.url);
    CHECK(answer(login.url, first, "choice=create&name=First").status == 200);
    CHECK(answer(login.url, second, "choice=create&name=Second").status == 404);
}

TEST_CASE("the page is there in both languages, loads nothing and shows foreign text as text") {
    const auto answered =
        test::send({.method = "POST",
                    .url = server().url() + "/v1/auth/init-login",
                    .body = "timestamp=1&mac=%3Cscript%3Ealert(1)%3C%2Fscript%3E"});
    const std::string url = answered.body["url"];
    const auto english = open(url);
    CHECK(english.text.find("<script") == std::string::npos);
    CHECK(english.text.find("&lt;script&gt;") != std::string::npos);
    CHECK(english.text.find("lang=\"en\"") != std::string::npos);
    CHECK(open(url, "zh-CN,zh;q=0.9").text.find("允许") != std::string::npos);
    CHECK(open(url + "?lang=zh").text.find("允许") != std::string::npos);
    CHECK(english.text.find("http://") == std::string::npos);
    const auto page = test::send({.url = url});
    CHECK(page.header("content-security-policy").find("default-src 'none'") != std::string::npos);
    CHECK(page.header("set-cookie").find("SameSite=Strict") != std::string::npos);
    CHECK(page.header("set-cookie").find("HttpOnly") != std::string::npos);
}

TEST_CASE("the page says what is wrong with an answer") {
    const auto login = begin();
    for (const char* name : {"", "%20%20", "%FF"}) {
        CAPTURE(name);
        const auto refused = answer(login.url, open(login.url),
                                    std::string("choice=create&name=") + name + "&lang=en");
        CHECK(refused.status == 400);
        CHECK(refused.text.find("1 to 64 characters") != std::string::npos);
    }
    const auto long_name = "choice=create&lang=zh&name=" + std::string(65, 'x');
    CHECK(answer(login.url, open(login.url), long_name).text.find("1 至 64") != std::string::npos);
    CHECK(answer(login.url, open(login.url), "choice=other").status == 400);
    CHECK(poll(login.code).data() == json::object());
}

TEST_CASE("unknown codes and pages, and broken forms, are refused") {
    CHECK(poll("0123456789abcdef").status == 404);
    CHECK(poll("").status == 400);
    CHECK(poll(std::string(65, 'x')).status == 400);
    CHECK(test::send({.url = server().url() + "/login/0123"}).status == 404);
    CHECK(
        test::send({.method = "POST", .url = server().url() + "/login/0123", .body = "x"}).status ==
        404);
    const auto init = [](const std::string& body) {
        return test::send(
                   {.method = "POST", .url = server().url() + "/v1/auth/init-login", .body = body})
            .status;
    };
    CHECK(init("mac=%zz") == 400);
    CHECK(init("mac=%FF") == 400);
    CHECK(init("mac=" + std::string(65, 'x')) == 400);
}
