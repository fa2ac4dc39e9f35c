// The interfaces of a2h-market for an operator: health, metrics, limits, log, configuration, a
// clean stop.

#include <doctest/doctest.h>
#include <signal.h>

#include <fstream>
#include <sstream>
#include <thread>

#include "core/base/ids.h"
#include "tests/support/market_http.h"
#include "tests/support/postgres.h"
#include "tests/support/temp_dir.h"

using namespace a2h;
using nlohmann::json;

namespace {

constexpr std::string_view kProfile = "/findu-user/api/v1/user/profile/public";

std::string text_of(const std::filesystem::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

test::Answer get(const test::Market& market, const std::string& path) {
    http::ClientRequest request;
    request.url = market.url() + path;
    return test::send(request);
}

}  // namespace

TEST_CASE("health reports database and relay, and the metrics count every answer") {
    const test::TempDir dir;
    test::Market market(dir.path());
    const auto ann = test::plain_agent(market, "Ann");
    CHECK(test::call(ann, "GET", kProfile).status == 200);
    CHECK(get(market, "/nothing").status == 404);
    CHECK(test::eventually([&] { return get(market, "/healthz").body["relay"] == "connected"; }));
    const auto health = get(market, "/healthz");
    CHECK(health.status == 200);
    CHECK(health.body["database"] == "ok");
    const auto metrics = get(market, "/metrics");
    CHECK(metrics.header("content-type").starts_with("text/plain; version=0.0.4"));
    for (const std::string& line :
         {"a2h_market_requests_total{method=\"GET\",route=\"" + std::string(kProfile) +
              "\",status=\"200\"} 1\n",
          std::string("a2h_market_requests_total{method=\"*\",route=\"none\",status=\"404\"} 1\n"),
          std::string("a2h_market_database_commits_total "),
          std::string("a2h_market_events_waiting 0\n"),
          std::string("a2h_market_relay_connected 1\n")}) {
        CAPTURE(line);
        CHECK(metrics.text.find(line) != std::string::npos);
    }
    market.stop_broker();
    CHECK(
        test::eventually([&] { return get(market, "/healthz").body["relay"] == "disconnected"; }));
    CHECK(get(market, "/healthz").status == 200);
}

TEST_CASE("an agent that asks too often is told when to come again, and others are not disturbed") {
    const test::TempDir dir;
    test::Market market(dir.path(), {"--agent-rate", "1", "--agent-burst", "3"});
    const auto ann = test::plain_agent(market, "Ann");
    const auto bob = test::plain_agent(market, "Bob");
    for (int i = 0; i < 3; ++i)
        CHECK(test::call(ann, "GET", kProfile).status == 200);
    const auto refused = test::call(ann, "GET", kProfile);
    CHECK(refused.status == 429);
    CHECK(refused.code() == "429");
    CHECK(std::stoi(refused.header("retry-after")) >= 1);
    CHECK(test::call(bob, "GET", kProfile).status == 200);
    const auto token = test::call(ann, "POST", "/mqtt-token/api/v1/token", {{"client_id", "x"}});
    CHECK(token.status == 429);
    CHECK(token.body["success"] == false);
    // A client that cannot sign for an agent cannot use up its requests either.
    auto forged = bob;
    forged.keys.agent_key = "wrong";
    for (int i = 0; i < 10; ++i)
        CHECK(test::call(forged, "GET", kProfile).status == 401);
    CHECK(test::call(bob, "GET", kProfile).status == 200);
}

TEST_CASE("public and refused requests are counted by address, behind a proxy by its client") {
    const test::TempDir dir;
    test::Market market(dir.path(),
                        {"--address-rate", "1", "--address-burst", "2", "--behind-proxy"});
    const auto from = [&](const char* address) {
        http::ClientRequest request;
        request.url = market.url() + std::string(kProfile);
        request.headers = {{"X-Forwarded-For", address}};
        return test::send(request).status;
    };
    CHECK(from("10.0.0.9, 192.0.2.1") == 401);
    CHECK(from("10.0.0.8, 192.0.2.1") == 401);
    CHECK(from("10.0.0.7, 192.0.2.1") == 429);
    CHECK(from("10.0.0.9, 192.0.2.2") == 401);
}

TEST_CASE("the request log names route, status and agent, and no secret") {
    const test::TempDir dir;
    test::Market market(dir.path(), {"--log-requests"});
    const auto ann = test::plain_agent(market, "Ann");
    CHECK(test::call(ann, "GET", "/v1/agents/secret-path?q=secret-query").status == 400);
    const auto signed_request = test::plain_request(ann, "GET", kProfile);
    test::send(signed_request);
    market.stop_market();
    const std::string log = text_of(dir.path() / "market.log");
    CHECK(log.find("route=\"GET " + std::string(kProfile) + "\" status=200") != std::string::npos);
    CHECK(log.find("agent=" + ann.agent_id) != std::string::npos);
    for (const std::string& secret : {ann.keys.agent_key, signed_request.headers[2].second,
                                      std::string("secret-path"), std::string("secret-query")}) {
        CHECK(log.find(secret) == std::string::npos);
    }
}

TEST_CASE("options come from a file, and the command line wins") {
    const test::TempDir dir;
    std::ofstream(dir.path() / "market.toml")
        << "agent_rate = 1\nagent_burst = 1\nmqtt_url = \"mqtt://nowhere:1\"\n";
    test::Market market(dir.path(), {"--config", dir.path() / "market.toml"});
    const auto ann = test::plain_agent(market, "Ann");
    CHECK(test::call(ann, "GET", kProfile).status == 200);
    CHECK(test::call(ann, "GET", kProfile).status == 429);
    const auto keys = wire::new_key_pair();
    const json body{{"name", "Bob"}, {"public_key", keys.public_key}};
    const auto answer =
        test::send(test::registration(market.url(), keys, body.dump(), random_hex(16)));
    CHECK(answer.data()["mqtt_url"] == market.mqtt_url());
}

TEST_CASE("a revocation by another process counts within a second") {
    const test::TempDir dir;
    test::Market market(dir.path());
    const auto ann = test::plain_agent(market, "Ann");
    REQUIRE(test::call(ann, "GET", kProfile).status == 200);
    market.revoke(ann.agent_id);
    CHECK(test::eventually([&] { return test::call(ann, "GET", kProfile).status == 403; },
                           std::chrono::milliseconds(1000)));
}

TEST_CASE("SIGTERM ends the market within two seconds, under load and with idle connections") {
    const test::TempDir dir;
    test::Market market(dir.path());
    const auto ann = test::plain_agent(market, "Ann");
    std::atomic<bool> stopping{false};
    std::atomic<int> broken{0};
    std::vector<std::thread> clients;
    for (int i = 0; i < 4; ++i) {
        clients.emplace_back([&] {
            http::Client client({});
            while (!stopping) {
                const auto answer = client.send(test::plain_request(ann, "GET", kProfile));
                if (answer && answer->status != 200 && answer->status != 429) ++broken;
            }
        });
    }
    const auto begin = std::chrono::steady_clock::now();
    const auto status = market.market().stop(std::chrono::seconds(5));
    const auto took = std::chrono::steady_clock::now() - begin;
    stopping = true;
    for (auto& client : clients)
        client.join();
    CHECK(status == 0);
    CHECK(took < std::chrono::seconds(2));
    CHECK(broken == 0);
}
