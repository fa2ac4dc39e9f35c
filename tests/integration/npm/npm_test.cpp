#include <doctest/doctest.h>

#include <fstream>

#include "tests/support/market_http.h"
#include "tests/support/temp_dir.h"

using namespace a2h;

namespace {

/// Runs `file` of this folder against a market with two agents, and holds every answer that the
/// published client got against the market's own document.
void run_client(const std::string& file, int answers_min) {
    const test::TempDir dir;
    const test::TempDir home;
    const test::Market market(dir.path());
    // What is said before the market listens for the first time is in no history.
    http::ClientRequest health;
    health.url = market.url() + "/healthz";
    REQUIRE(test::eventually([&] { return test::send(health).body["relay"] == "connected"; },
                             std::chrono::seconds(20)));
    const auto seller = test::plain_agent(market, "Seller");
    const auto buyer = test::plain_agent(market, "Buyer");
    const auto ran = test::run({A2H_SOURCE_DIR "/tests/integration/npm/run", A2H_BUILD_DIR, file},
                               {{"A2H_CLIENT_HOME", home.path().string()},
                                {"A2H_RECORD", (dir.path() / "answers.jsonl").string()},
                                {"A2H_MARKET_URL", market.url()},
                                {"A2H_MQTT_URL", market.mqtt_url()},
                                {"A2H_SELLER_ID", seller.agent_id},
                                {"A2H_SELLER_KEY", seller.keys.agent_key},
                                {"A2H_BUYER_ID", buyer.agent_id},
                                {"A2H_BUYER_KEY", buyer.keys.agent_key}},
                               {}, std::chrono::seconds(180));
    CHECK_MESSAGE(ran.status == 0, ran.out << ran.err);
    const auto document = test::send({.url = market.url() + "/openapi.json"}).body;
    std::ifstream answers(dir.path() / "answers.jsonl");
    int checked = 0;
    for (std::string line; std::getline(answers, line); ++checked) {
        const auto answer = nlohmann::json::parse(line);
        CAPTURE(line);
        CHECK(test::undocumented(
                  document, answer["method"].get<std::string>(), answer["path"].get<std::string>(),
                  answer["status"].get<int>(),
                  nlohmann::json::parse(answer["body"].get<std::string>(), nullptr, false)) == "");
    }
    CHECK(checked >= answers_min);
}

}  // namespace

TEST_CASE("the published npm client's modules work unchanged") {
    run_client("client.test.mjs", 41);
}

TEST_CASE("the published npm plugin works as a whole, with its host program played") {
    run_client("plugin.test.mjs", 30);
}
