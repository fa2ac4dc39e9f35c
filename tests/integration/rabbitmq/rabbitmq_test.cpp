// The market's broker tokens at a cluster: Debian's RabbitMQ with its MQTT plug-in. It asks the
// market at each login, and by its OAuth 2 plug-in it checks the token and what that allows by
// itself.

#include <doctest/doctest.h>

#include <fstream>
#include <thread>

#include "core/base/ids.h"
#include "market/broker/access.h"
#include "market/broker/token.h"
#include "tests/integration/market/mqtt_client.h"
#include "tests/support/market_http.h"
#include "tests/support/temp_dir.h"

using namespace a2h;
using market::BrokerRole;
using market::listener_client_id;
using market::receive_topic;
using market::TokenClaims;
using market::TokenSigner;
using test::MqttClient;
using test::Process;

namespace {

constexpr const char* kProgram = "/usr/lib/rabbitmq/bin/rabbitmq-server";
constexpr auto kSoon = std::chrono::milliseconds(700);
constexpr int kStartsMax = 3;
/// Erlang needs 5 s, and much longer on a busy machine.
constexpr auto kStartPatience = std::chrono::seconds(150);

/// A node with a name, ports, folders and an Erlang port mapper of its own; ended by their ids.
class RabbitMq {
  public:
    RabbitMq(std::filesystem::path dir, std::string market_url)
        : dir_(std::move(dir)), market_url_(std::move(market_url)) {
        std::filesystem::create_directories(dir_);
        // Another program may take a port that was free a moment ago. The node then ends.
        bool is_up = false;
        for (int attempt = 0; attempt < kStartsMax && !is_up; ++attempt)
            is_up = start();
        REQUIRE(is_up);
    }
    ~RabbitMq() {
        // The start script's Erlang is in its process group, which `kill` ends as a whole.
        node_->stop(std::chrono::seconds(5));
        node_->kill();
    }
    RabbitMq(const RabbitMq&) = delete;
    RabbitMq& operator=(const RabbitMq&) = delete;

    std::string url() const { return "mqtt://127.0.0.1:" + std::to_string(port_); }
    const std::filesystem::path& dir() const { return dir_; }

  private:
    /// True when it listens, false when it has ended.
    bool start() {
        port_ = test::free_port();
        epmd_port_ = test::free_port();
        write_config();
        epmd_ = std::make_unique<Process>(Process::Options{
            .argv = {"epmd", "-port", std::to_string(epmd_port_), "-address", "127.0.0.1"},
            .environment = {},
            .stdout_file = dir_ / "epmd.log",
            .stderr_file = dir_ / "epmd.log"});
        node_ = std::make_unique<Process>(Process::Options{.argv = {kProgram},
                                                           .environment = environment(),
                                                           .stdout_file = dir_ / "node.log",
                                                           .stderr_file = dir_ / "node.log"});
        bool listens = false;
        REQUIRE(test::eventually(
            [&] {
                MqttClient client(url(), "x", true);
                listens = client.connect("x", "x") > 0;  // refused, but by a broker
                return listens || node_->wait(std::chrono::milliseconds(0)).has_value();
            },
            kStartPatience));
        return listens;
    }

    std::string node_name() const { return "a2h" + std::to_string(epmd_port_) + "@localhost"; }

    void write_config() const {
        std::ofstream(dir_ / "plugins")
            << "[rabbitmq_mqtt,rabbitmq_auth_backend_oauth2,rabbitmq_auth_backend_http].\n";
        std::ofstream(dir_ / "rabbitmq.conf")
            << "listeners.tcp = none\n"
            << "mqtt.listeners.tcp.1 = 127.0.0.1:" << port_ << "\n"
            << "mqtt.allow_anonymous = false\n"
            << "mqtt.vhost = /\nmqtt.exchange = amq.topic\n"
            << "auth_backends.1.authn = rabbit_auth_backend_http\n"
            << "auth_backends.1.authz = rabbit_auth_backend_oauth2\n"
            << "auth_http.http_method = post\n"
            << "auth_http.user_path = " << market_url_ << "/v1/broker/user\n"
            << "auth_oauth2.resource_server_id = " << market::kBrokerAudience << "\n"
            << "auth_oauth2.default_key = market\n"
            << "auth_oauth2.signing_keys.market = " << (dir_ / "token.pub").string() << "\n";
    }
    std::map<std::string, std::string> environment() const {
        const std::string dir = dir_.string();
        return {{"HOME", dir},
                {"RABBITMQ_NODENAME", node_name()},
                {"RABBITMQ_MNESIA_BASE", dir + "/mnesia"},
                {"RABBITMQ_LOG_BASE", dir + "/log"},
                {"RABBITMQ_LOGS", "-"},
                {"RABBITMQ_CONFIG_FILE", dir + "/rabbitmq"},
                {"RABBITMQ_CONF_ENV_FILE", dir + "/none"},
                {"RABBITMQ_ENABLED_PLUGINS_FILE", dir + "/plugins"},
                {"RABBITMQ_PID_FILE", dir + "/pid"},
                {"RABBITMQ_DIST_PORT", std::to_string(test::free_port())},
                {"ERL_EPMD_PORT", std::to_string(epmd_port_)},
                {"ERL_EPMD_ADDRESS", "127.0.0.1"}};
    }

    std::filesystem::path dir_;
    std::string market_url_;
    std::uint16_t port_ = 0;
    std::uint16_t epmd_port_ = 0;
    std::unique_ptr<Process> epmd_;
    std::unique_ptr<Process> node_;
};

/// One market and one cluster for all: the cluster has the market's public key and its address.
struct Cluster {
    test::TempDir dir;
    test::Market market{dir.path() / "market"};
    TokenSigner signer = *TokenSigner::open(market.dir());
    std::unique_ptr<RabbitMq> broker;

    Cluster() {
        std::filesystem::create_directories(dir.path() / "rabbitmq");
        std::filesystem::copy_file(market.dir() / "token.pub",
                                   dir.path() / "rabbitmq" / "token.pub");
        broker = std::make_unique<RabbitMq>(dir.path() / "rabbitmq", market.url());
    }
    std::string agent(const std::string& name) const {
        return test::plain_agent(market, name).agent_id;
    }
    TokenClaims claims(const std::string& agent_id, std::int64_t lifetime_s = 60) const {
        const std::int64_t now_s = test::now_s();
        return {agent_id, listener_client_id(agent_id), now_s, now_s + lifetime_s};
    }
    int login(const std::string& agent_id, const std::string& token) const {
        return MqttClient(broker->url(), listener_client_id(agent_id)).connect(agent_id, token);
    }
    std::unique_ptr<MqttClient> connect(const std::string& agent_id) const {
        auto client = std::make_unique<MqttClient>(broker->url(), listener_client_id(agent_id));
        REQUIRE(client->connect(agent_id, *signer.sign(claims(agent_id))) == 0);
        return client;
    }
};

Cluster& cluster() {
    static Cluster running;
    return running;
}

}  // namespace

// Looked for when the test runs: Debian's package may have come after the build was configured.
TEST_SUITE_BEGIN("RabbitMQ" * doctest::skip(!std::filesystem::exists(kProgram)));

TEST_CASE("a token of the market lets its agent in, and mail goes through") {
    const auto ann_id = cluster().agent("Ann");
    const auto ann = cluster().connect(ann_id);
    REQUIRE(ann->subscribe(receive_topic(ann_id)));
    const auto bob = cluster().connect(cluster().agent("Bob"));
    REQUIRE(bob->publish(receive_topic(ann_id), "hello"));
    CHECK(ann->receive() == "hello");
    // Tokens that the market itself issues are accepted, too.
    const auto carl = test::plain_agent(cluster().market, "Carl");
    const std::string id = listener_client_id(carl.agent_id);
    const auto token = cluster().market.client(carl).fetch_broker_token(id);
    REQUIRE(token);
    CHECK(MqttClient(cluster().broker->url(), id).connect(*token) == 0);
}

TEST_CASE("expired, foreign, unsigned and missing tokens are refused") {
    const std::string id = cluster().agent("Ann");
    const auto now_s = test::now_s();
    const auto good = *cluster().signer.sign(cluster().claims(id));
    CHECK(cluster().login(id, good) == 0);
    const TokenClaims expired{id, listener_client_id(id), now_s - 120, now_s - 1};
    CHECK(cluster().login(id, *cluster().signer.sign(expired)) != 0);
    test::TempDir other;
    CHECK(cluster().login(id, *TokenSigner::open(other.path())->sign(cluster().claims(id))) != 0);
    const std::string body = good.substr(good.find('.') + 1);
    CHECK(cluster().login(id, "eyJhbGciOiJub25lIn0." + body) != 0);
    CHECK(cluster().login(id, "eyJhbGciOiJub25lIn0." + body.substr(0, body.find('.') + 1)) != 0);
    std::string changed = good;
    changed[good.find('.') + 20] ^= 1;
    CHECK(cluster().login(id, changed) != 0);
    CHECK(cluster().login(id, "password") != 0);
    CHECK(cluster().login(id, "") != 0);
    CHECK(cluster().login("guest", "guest") != 0);
    CHECK(cluster().login(cluster().agent("Bob"), good) != 0);
    CHECK(cluster().login("ag_nobody", *cluster().signer.sign(cluster().claims("ag_nobody"))) != 0);
    CHECK(cluster().login(id, good) == 0);
}

TEST_CASE("a revoked agent's tokens are refused at once, however long they would be valid") {
    auto& market = cluster().market;
    const auto agent = test::plain_agent(market, "Revoked");
    const auto& id = agent.agent_id;
    const auto token = *cluster().signer.sign(cluster().claims(id, 3600));
    CHECK(cluster().login(id, token) == 0);
    market.revoke(id);
    CHECK(
        test::eventually([&] { return cluster().login(id, token) != 0; }, std::chrono::seconds(5)));
    CHECK(cluster().login(id, *cluster().signer.sign(cluster().claims(id, 3600))) != 0);
    CHECK_FALSE(market.client(agent).fetch_broker_token(listener_client_id(id)));
    CHECK(cluster().login(cluster().agent("Other"), token) != 0);
}

TEST_CASE("a session that lives when its agent is revoked is the last one") {
    // RabbitMQ asks at the login only. Our own plug-in ends such a session within two seconds.
    auto& market = cluster().market;
    const auto id = cluster().agent("Revoked");
    const auto token = *cluster().signer.sign(cluster().claims(id));
    const auto session = cluster().connect(id);
    market.revoke(id);
    session->disconnect();
    CHECK(test::eventually([&] { return cluster().login(id, token) != 0; }));
}

TEST_CASE("while the market is away no new client connects, and connected ones stay") {
    auto& market = cluster().market;
    const auto id = cluster().agent("Ann");
    const auto ann = cluster().connect(id);
    const auto bob = cluster().agent("Bob");
    const auto token = *cluster().signer.sign(cluster().claims(bob));
    REQUIRE(ann->subscribe(receive_topic(id)));
    market.stop_market();
    CHECK(cluster().login(bob, token) != 0);
    REQUIRE(ann->publish(receive_topic(id), "still here"));
    CHECK(ann->receive() == "still here");
    market.start_market();
    CHECK(test::eventually([&] { return cluster().login(bob, token) == 0; }));
}

TEST_CASE("an agent reads its own topic only, and writes to agents only") {
    const auto ann_id = cluster().agent("Ann");
    const auto mallory = cluster().agent("Mallory");
    const auto ann = cluster().connect(ann_id);
    REQUIRE(ann->subscribe(receive_topic(ann_id)));
    for (const std::string& topic :
         {receive_topic(mallory) + "x", std::string("P2P_TOPIC/p2p/+"), std::string("#")}) {
        CAPTURE(topic);
        CHECK_FALSE(cluster().connect(mallory)->subscribe(topic));
    }
    CHECK_FALSE(cluster().connect(mallory)->subscribe(receive_topic(ann_id)));
    cluster().connect(mallory)->publish("other", "x");
    REQUIRE(cluster().connect(cluster().agent("Bob"))->publish(receive_topic(ann_id), "for Ann"));
    CHECK(ann->receive() == "for Ann");
}

TEST_CASE("nobody takes over another's client id") {
    const auto ann_id = cluster().agent("Ann");
    const auto ann = cluster().connect(ann_id);
    REQUIRE(ann->subscribe(receive_topic(ann_id)));
    const auto mallory_id = cluster().agent("Mallory");
    MqttClient mallory(cluster().broker->url(), listener_client_id(ann_id));
    CHECK(mallory.connect(mallory_id, *cluster().signer.sign(cluster().claims(mallory_id))) != 0);
    REQUIRE(cluster().connect(cluster().agent("Bob"))->publish(receive_topic(ann_id), "for Ann"));
    CHECK(ann->receive() == "for Ann");
}

TEST_CASE("the market's own token reads all agents' mail there, too") {
    const std::string own = agent_of_market_sender(
        test::send({.url = cluster().market.url() + "/v1/market"}).data().value("agent_id", ""));
    const std::string id = market::recorder_client_id(own);
    auto claims = cluster().claims(own);
    claims.client_id = id;
    claims.role = BrokerRole::Recorder;
    MqttClient recorder(cluster().broker->url(), id);
    REQUIRE(recorder.connect(own, *cluster().signer.sign(claims)) == 0);
    REQUIRE(recorder.subscribe(std::string(market::kAllReceiveTopics)));
    const auto bob = cluster().connect(cluster().agent("Bob"));
    REQUIRE(bob->publish(receive_topic(cluster().agent("Ann")), "overheard"));
    CHECK(recorder.receive() == "overheard");
}

TEST_SUITE_END();
