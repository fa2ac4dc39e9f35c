// Links that the real market hands out, whatever the request says about its host.

#include <doctest/doctest.h>

#include "tests/integration/market/shared_market.h"
#include "tests/support/market_http.h"

using namespace a2h;
using nlohmann::json;
using test::Answer;
using test::server;

namespace {

const std::string kContent = "a file";

/// Sends `request` like a client that wants links to point to another host.
Answer send_as_elsewhere(http::ClientRequest request) {
    request.headers.emplace_back("Host", "evil.example");
    request.headers.emplace_back("X-Forwarded-Host", "evil.example");
    request.headers.emplace_back("Forwarded", "host=evil.example");
    return test::send(request);
}

void check_links(const Answer& answer, const json& link) {
    REQUIRE_MESSAGE(answer.status == 200, answer.text);
    CHECK(link.get<std::string>().starts_with(server().url() + "/"));
    CHECK_MESSAGE(answer.text.find("evil.example") == std::string::npos, answer.text);
}

}  // namespace

TEST_CASE("a link to an upload begins with the market's address, not the Host header's") {
    const auto ann = test::plain_agent(server(), "Ann");
    const json wanted{{"upload_type", "chatfile"},
                      {"upload_subtype", "document"},
                      {"file_name", "a.txt"},
                      {"file_size", kContent.size()},
                      {"file_type", "text/plain"}};
    const auto signed_url = send_as_elsewhere(test::plain_request(
        ann, "POST", "/findu-oss/api/v1/oss_signurl/upload/sign", wanted.dump()));
    check_links(signed_url, signed_url.data()["upload_url"]);
    const auto stored = send_as_elsewhere({.method = "PUT",
                                           .url = signed_url.data()["upload_url"],
                                           .headers = {{"Content-Type", "text/plain"}},
                                           .body = kContent});
    check_links(stored, stored.data()["url"]);
    CHECK(test::send({.url = stored.data()["url"]}).text == kContent);
}

TEST_CASE("a login's page and the API's address are the market's own, not the Host header's") {
    const auto begun =
        send_as_elsewhere({.method = "POST",
                           .url = server().url() + "/v1/auth/init-login",
                           .headers = {{"Content-Type", "application/x-www-form-urlencoded"}},
                           .body = "timestamp=1760000000&mac=aa%3Abb"});
    check_links(begun, begun.body["url"]);
    const auto page = send_as_elsewhere({.url = begun.body["url"]});
    CHECK(page.status == 200);
    CHECK(page.text.find("evil.example") == std::string::npos);
}
