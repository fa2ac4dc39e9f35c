// An operator's view of a real a2hd: its metrics on the socket, over HTTP and at the terminal.
#include <doctest/doctest.h>

#include <atomic>
#include <fstream>
#include <future>
#include <map>
#include <memory>
#include <string>

#include <nlohmann/json.hpp>

#include "core/http/client.h"
#include "core/mqtt/connection.h"
#include "core/platform/client.h"
#include "tests/integration/daemon/scene.h"
#include "tests/support/exposition.h"

using namespace a2h;
using namespace a2h::test;
using namespace std::chrono_literals;
using nlohmann::json;

namespace {

constexpr const char* kWatched =
    "language = \"en\"\n[web]\nlisten = \"127.0.0.1:0\"\n[notify]\nchannels = []\n"
    "[metrics]\nlisten = \"127.0.0.1:0\"\n";

Ran at_terminal(const Daemon& daemon, std::vector<std::string> words) {
    std::vector<std::string> argv = {A2H_BIN_DIR "/a2h", "--home", daemon.home().string()};
    argv.insert(argv.end(), words.begin(), words.end());
    return run(argv, {{"LC_ALL", "en_US.UTF-8"}});
}

http::ClientResponse ask_port(const std::string& url, http::ClientRequest request = {}) {
    http::Client client({});
    request.url = url;
    const auto response = client.send(request);
    REQUIRE_MESSAGE(response.has_value(), url);
    return *response;
}

/// Publishes like a program of `account` that does not know our protocol.
void publish(const platform::Account& account, const std::string& mqtt_url,
             const std::string& target_id, const std::string& payload) {
    const SystemClock clock;
    http::Client http({});
    platform::Client market(http, clock, account);
    mqtt::Options options;
    options.server_uri = mqtt_url;
    options.client_id = mqtt::listener_client_id(account.agent_id);
    options.topic = mqtt::receive_topic(account.agent_id);
    // Shared, because the thread that sets it may still be inside when the waiter goes on.
    const auto published = std::make_shared<std::promise<Result<void>>>();
    std::atomic<bool> is_connected = false;
    mqtt::Connection connection(
        options, clock,
        [&]() -> Result<mqtt::Credentials> {
            A2H_ASSIGN_OR_RETURN(const auto token, market.fetch_broker_token(options.client_id));
            return mqtt::Credentials{token.username, token.password, token.expires_at_ms};
        },
        [](std::string_view, std::string_view) { return Result<void>(); },
        [&](const mqtt::State& state) { is_connected = state.connected; });
    connection.start();
    REQUIRE(eventually([&] { return is_connected.load(); }, 30s));
    connection.publish(mqtt::receive_topic(target_id), payload, [published](Result<void> result) {
        published->set_value(std::move(result));
    });
    REQUIRE(published->get_future().get().has_value());
}

/// Metrics that do not change without an event, unlike memory or commits of the self-test.
std::map<std::string, double> steady_series(const Scrape& scrape) {
    std::map<std::string, double> steady;
    for (const auto& [series, value] : scrape.values()) {
        for (const char* kind :
             {"a2hd_messages_", "a2hd_approvals_", "a2hd_queue_length", "a2hd_mailboxes",
              "a2hd_build_info", "a2hd_dead_letters", "a2hd_process_start_time"}) {
            if (series.starts_with(kind)) steady[series] = value;
        }
    }
    return steady;
}

Scrape scrape_of(Daemon& daemon) {
    const json answer = daemon.call_human("metrics");
    REQUIRE_MESSAGE(answer.value("ok", false), answer.dump());
    return Scrape(answer["data"]["text"].get<std::string>());
}

}  // namespace

TEST_CASE("messages and questions are counted, and all outputs show the same figures") {
    Scene s({.config = kWatched});
    s.publish_listing();
    s.buyer_says("Hello, how much is the portrait photo session?");
    REQUIRE(eventually([&] { return s.replies_to_buyer().size() == 1; }));
    s.buyer_says("Could you do it for 200 CNY?");
    const std::string question = s.open_approval()["approval_id"];
    const platform::Account stranger = s.market.register_agent("stranger");
    publish(stranger, s.market.mqtt_url(), s.seller_account.agent_id, "no envelope");
    REQUIRE(eventually([&] { return s.seller.status()["counts"]["refused"] == 1; }));
    REQUIRE(s.no_work_left(s.seller));

    const Scrape before = scrape_of(s.seller);
    CHECK(before.value("a2hd_queue_length{queue=\"approvals\"}") == 1);
    CHECK(before.value("a2hd_queue_oldest_age_seconds{queue=\"approvals\"}") > 0);
    REQUIRE(s.answer(s.seller, question, "reject")["ok"] == true);
    REQUIRE(s.no_work_left(s.seller));

    const Scrape scrape = scrape_of(s.seller);
    const json counts = s.seller.status()["counts"];
    CHECK(scrape.value("a2hd_messages_received_total") == counts["received"].get<double>());
    CHECK(scrape.value("a2hd_messages_received_total") >= 2);
    CHECK(scrape.value("a2hd_messages_refused_total{reason=\"not_json\"}") == 1);
    CHECK(scrape.value("a2hd_messages_decided_total{rule=\"question.listing_states\",decision="
                       "\"answer\"}") == 1);
    CHECK(scrape.value("a2hd_messages_sent_total{way=\"broker\"}") >= 1);
    CHECK(scrape.value("a2hd_approvals_asked_total") == 2);
    CHECK(scrape.value("a2hd_approvals_answered_total{answer=\"approve\",surface=\"terminal\"}") ==
          1);
    CHECK(scrape.value("a2hd_approvals_answered_total{answer=\"reject\",surface=\"terminal\"}") ==
          1);
    CHECK(scrape.value("a2hd_queue_length{queue=\"approvals\"}") == 0);
    CHECK(scrape.value("a2hd_mailboxes_connected") == 1);
    CHECK(scrape.value("a2hd_commit_duration_seconds_count") > 0);
    CHECK(scrape.value("a2hd_commit_failures_total") == 0);

    const auto terminal = at_terminal(s.seller, {"metrics"});
    CHECK(terminal.status == 0);
    CHECK(steady_series(Scrape(terminal.out)) == steady_series(scrape));

    const std::string url = s.seller.call_human("metrics")["data"]["url"];
    const auto served = ask_port(url);
    CHECK(served.status == 200);
    CHECK(steady_series(Scrape(served.body)) == steady_series(scrape));
}

TEST_CASE("a broker that comes back is a reconnect") {
    Scene s({.config = kWatched});
    CHECK(scrape_of(s.seller).value("a2hd_broker_reconnects_total") == 0);
    s.market.stop_broker();
    REQUIRE(eventually([&] { return scrape_of(s.seller).value("a2hd_mailboxes_connected") == 0; },
                       30s));
    s.market.start_broker();
    REQUIRE(eventually(
        [&] { return scrape_of(s.seller).value("a2hd_broker_reconnects_total") >= 1; }, 60s));
    CHECK(scrape_of(s.seller).value("a2hd_mailboxes_connected") == 1);
}

TEST_CASE("the port answers this machine's scrapers, and nothing else") {
    const TempDir dir;
    platform::Account account{"http://127.0.0.1:1", "ag_self", {}};
    account.keys.agent_key = "key";
    Daemon daemon(dir.path() / "home", {account}, "mqtt://127.0.0.1:1", {.config = kWatched});
    const std::string url = daemon.call_human("metrics")["data"]["url"];
    REQUIRE(url.starts_with("http://127.0.0.1:"));

    const auto served = ask_port(url);
    CHECK(served.status == 200);
    bool is_typed = false;
    for (const auto& [name, value] : served.headers)
        is_typed =
            is_typed || (name == "content-type" && value.find("version=0.0.4") != value.npos);
    CHECK(is_typed);
    CHECK(Scrape(served.body).value("a2hd_mailboxes_connected") == 0);
    CHECK(ask_port(url, {.headers = {{"Host", "localhost:1"}}}).status == 200);
    CHECK(ask_port(url, {.headers = {{"Host", "[::1]:1"}}}).status == 200);
    CHECK(ask_port(url, {.headers = {{"Host", "rebound.example:9464"}}}).status == 421);
    CHECK(ask_port(url, {.headers = {{"Host", "127.0.0.1.rebound.example"}}}).status == 421);
    CHECK(ask_port(url, {.method = "POST", .body = "x"}).status == 405);
    CHECK(ask_port(url.substr(0, url.rfind('/')) + "/").status == 404);

    daemon.stop();
    CHECK(!http::Client({}).send({.url = url}).has_value());
}

TEST_CASE("metrics are not served to other machines, nor without being asked for") {
    const TempDir dir;
    platform::Account account{"http://127.0.0.1:1", "ag_self", {}};
    account.keys.agent_key = "key";
    Daemon daemon(dir.path() / "home", {account}, "mqtt://127.0.0.1:1");
    CHECK(daemon.call_human("metrics")["data"]["url"] == "");
    CHECK(daemon.call_assistant("metrics")["ok"] == false);
    daemon.stop();
    std::ofstream(daemon.home() / "config.toml") << "[metrics]\nlisten = \"0.0.0.0:0\"\n";
    const Ran refused = run({A2H_BIN_DIR "/a2hd", "--home", daemon.home().string()});
    CHECK(refused.status != 0);
    CHECK(refused.err.find("metrics.listen") != std::string::npos);
}
