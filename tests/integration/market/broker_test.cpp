#include <doctest/doctest.h>

#include <fstream>

#include "market/broker/access.h"
#include "market/broker/token.h"
#include "tests/integration/market/mqtt_client.h"
#include "tests/support/market.h"
#include "tests/support/temp_dir.h"

using namespace a2h;
using market::listener_client_id;
using market::receive_topic;
using test::MqttClient;

namespace {

constexpr int kNotAuthorized = 5;  // MQTT 3.1.1, section 3.2.2.3
constexpr auto kSoon = std::chrono::milliseconds(300);

/// One market and broker for the cases that do not disturb them.
test::Market& shared_market() {
    static test::TempDir dir;
    static test::Market market(dir.path());
    return market;
}

platform::BrokerToken token_for(test::Market& market, const platform::Account& account,
                                const std::string& client_id) {
    auto token = market.client(account).fetch_broker_token(client_id);
    REQUIRE_MESSAGE(token.has_value(), token.error().message);
    return *token;
}

std::unique_ptr<MqttClient> connect(test::Market& market, const platform::Account& account,
                                    std::string client_id = {}) {
    if (client_id.empty()) client_id = listener_client_id(account.agent_id);
    auto client = std::make_unique<MqttClient>(market.mqtt_url(), client_id);
    REQUIRE(client->connect(token_for(market, account, client_id)) == 0);
    return client;
}

std::string sign(test::Market& market, const market::TokenClaims& claims) {
    const auto signer = market::TokenSigner::open(market.dir());
    REQUIRE(signer);
    return *signer->sign(claims);
}

std::int64_t now_s() {
    return SystemClock().now_ms() / 1000;
}

bool has_text(const std::filesystem::path& file, std::string_view text) {
    std::ifstream in(file, std::ios::binary);
    std::stringstream content;
    content << in.rdbuf();
    return content.str().find(text) != std::string::npos;
}

}  // namespace

TEST_CASE("an agent with a token connects, and another's message reaches it") {
    auto& market = shared_market();
    const auto ann = market.register_agent("Ann");
    const auto bob = market.register_agent("Bob");
    const auto receiver = connect(market, ann);
    REQUIRE(receiver->subscribe(receive_topic(ann.agent_id)));
    const auto sender = connect(market, bob);
    REQUIRE(sender->publish(receive_topic(ann.agent_id), "hello"));
    CHECK(receiver->receive() == "hello");
}

TEST_CASE("the public clients' sender and second-instance ids may connect") {
    auto& market = shared_market();
    const auto ann = market.register_agent("Ann");
    const std::string own = listener_client_id(ann.agent_id);
    CHECK(connect(market, ann, own + "_pub_0123abcd")->connected());
    CHECK(connect(market, ann, own + "_rt_instance-1")->connected());
}

TEST_CASE("wrong, missing, expired and foreign tokens are refused") {
    auto& market = shared_market();
    const auto ann = market.register_agent("Ann");
    const std::string id = listener_client_id(ann.agent_id);
    const auto good = token_for(market, ann, id);
    const auto login = [&](const std::string& user, const std::string& password) {
        return MqttClient(market.mqtt_url(), id).connect(user, password);
    };
    test::TempDir other_market;
    const auto other_signer = market::TokenSigner::open(other_market.path());
    const market::TokenClaims claims{ann.agent_id, id, now_s(), now_s() + 60};
    const market::TokenClaims expired{ann.agent_id, id, now_s() - 120, now_s() - 1};
    const std::string unsigned_token =
        "eyJhbGciOiJub25lIn0." + good.password.substr(good.password.find('.') + 1);
    CHECK(login(good.username, good.password) == 0);
    CHECK(login(good.username, "password") == kNotAuthorized);
    CHECK(login(good.username, "") == kNotAuthorized);
    CHECK(login("", "") == kNotAuthorized);
    CHECK(login("somebody", good.password) == kNotAuthorized);
    CHECK(login(good.username, sign(market, expired)) == kNotAuthorized);
    CHECK(login(good.username, *other_signer->sign(claims)) == kNotAuthorized);
    CHECK(login(good.username, unsigned_token) == kNotAuthorized);
    CHECK(login(good.username, unsigned_token.substr(0, unsigned_token.rfind('.') + 1)) ==
          kNotAuthorized);
    CHECK(login(good.username, std::string(60'000, 'x')) == kNotAuthorized);
}

TEST_CASE("nobody can take over another's client id") {
    auto& market = shared_market();
    const auto ann = market.register_agent("Ann");
    const auto mallory = market.register_agent("Mallory");
    const std::string ann_id = listener_client_id(ann.agent_id);
    const std::string mallory_id = listener_client_id(mallory.agent_id);
    const auto victim = connect(market, ann);
    const auto own = token_for(market, mallory, mallory_id);
    CHECK(MqttClient(market.mqtt_url(), ann_id).connect(own) == kNotAuthorized);
    CHECK(MqttClient(market.mqtt_url(), mallory_id + "_pub_00000000").connect(own) ==
          kNotAuthorized);
    CHECK(MqttClient(market.mqtt_url(), "anything").connect(own) == kNotAuthorized);
    CHECK(MqttClient(market.mqtt_url(), "", true).connect(own) != 0);
    const auto refused = market.client(mallory).fetch_broker_token(ann_id);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == ErrorCode::PermissionDenied);
    CHECK(victim->connected());
}

TEST_CASE("only the own topic can be subscribed to, spelt out") {
    auto& market = shared_market();
    const auto ann = market.register_agent("Ann");
    const auto bob = market.register_agent("Bob");
    const auto client = connect(market, ann);
    CHECK(client->subscribe(receive_topic(ann.agent_id)));
    for (const std::string& topic :
         {receive_topic(bob.agent_id), std::string("#"), std::string("P2P_TOPIC/p2p/+"),
          std::string("P2P_TOPIC/#"), std::string("+/p2p/GID_agent@@@") + bob.agent_id,
          std::string("$SYS/#"), "$share/g/" + receive_topic(bob.agent_id),
          receive_topic(ann.agent_id) + "/#", std::string("other")}) {
        CAPTURE(topic);
        CHECK_FALSE(client->subscribe(topic));
    }
}

TEST_CASE("a message that may not be published reaches nobody") {
    auto& market = shared_market();
    const auto ann = market.register_agent("Ann");
    const auto bob = market.register_agent("Bob");
    const std::string topic = receive_topic(ann.agent_id);
    const auto receiver = connect(market, ann);
    REQUIRE(receiver->subscribe(topic));
    // mosquitto may also end the connection of the client that tries, so each attempt gets its own.
    connect(market, bob)->publish(topic, std::string(market::kPayloadBytesMax + 1, 'x'));
    connect(market, bob)->publish("P2P_TOPIC/p2p/other", "x");
    connect(market, bob)->publish(topic, std::string(market::kPayloadBytesMax, 'y'));
    const auto got = receiver->receive();
    REQUIRE(got);
    CHECK(got->size() == market::kPayloadBytesMax);
    CHECK(got->front() == 'y');
    CHECK_FALSE(receiver->receive(kSoon));
}

TEST_CASE("a refused message does not end its sender's connection") {
    auto& market = shared_market();
    const auto ann = market.register_agent("Ann");
    const auto bob = market.register_agent("Bob");
    const auto receiver = connect(market, ann);
    REQUIRE(receiver->subscribe(receive_topic(ann.agent_id)));
    const auto sender = connect(market, bob);
    for (const char* target : {"user_agent_bob", "Bob", "ag_bob_lee", ""})
        sender->publish("P2P_TOPIC/p2p/GID_agent@@@" + std::string(target), "hello");
    REQUIRE(sender->publish(receive_topic(ann.agent_id), "still here"));
    CHECK(receiver->receive() == "still here");
    CHECK(sender->connected());
}

TEST_CASE("a retained message is refused") {
    auto& market = shared_market();
    const auto ann = market.register_agent("Ann");
    const auto bob = market.register_agent("Bob");
    const auto sender = connect(market, bob);
    sender->publish(receive_topic(ann.agent_id), "kept", true);
    const auto receiver = connect(market, ann);
    REQUIRE(receiver->subscribe(receive_topic(ann.agent_id)));
    CHECK_FALSE(receiver->receive(kSoon));
}

TEST_CASE("a packet far over the limit ends the connection and the broker goes on") {
    auto& market = shared_market();
    const auto ann = market.register_agent("Ann");
    const auto bob = market.register_agent("Bob");
    const auto sender = connect(market, bob);
    sender->publish(receive_topic(ann.agent_id), std::string(10 * 1024 * 1024, 'x'));
    CHECK(test::eventually([&sender] { return !sender->connected(); }));
    CHECK(connect(market, ann)->connected());
}

TEST_CASE("a renewed token does not cut the live session") {
    auto& market = shared_market();
    const auto ann = market.register_agent("Ann");
    const auto bob = market.register_agent("Bob");
    const auto receiver = connect(market, ann);
    REQUIRE(receiver->subscribe(receive_topic(ann.agent_id)));
    for (int i = 0; i < 5; ++i)
        token_for(market, ann, listener_client_id(ann.agent_id));
    const auto sender = connect(market, bob);
    REQUIRE(sender->publish(receive_topic(ann.agent_id), "still there"));
    CHECK(receiver->receive() == "still there");
    CHECK(receiver->connected());
}

TEST_CASE("a token that runs out does not cut the live session either") {
    auto& market = shared_market();
    const auto ann = market.register_agent("Ann");
    const std::string id = listener_client_id(ann.agent_id);
    MqttClient client(market.mqtt_url(), id);
    const std::int64_t end = now_s() + 2;
    REQUIRE(client.connect(ann.agent_id, sign(market, {ann.agent_id, id, now_s(), end})) == 0);
    REQUIRE(test::eventually([end] { return now_s() > end; }));
    CHECK(client.subscribe(receive_topic(ann.agent_id)));
}

TEST_CASE("a revoked agent is cut off, may not return, and others stay") {
    auto& market = shared_market();
    const auto ann = market.register_agent("Ann");
    const auto bob = market.register_agent("Bob");
    const std::string ann_id = listener_client_id(ann.agent_id);
    const auto token = token_for(market, ann, ann_id);
    const auto revoked = connect(market, ann);
    const auto other = connect(market, bob);
    market.revoke(ann.agent_id);
    CHECK(test::eventually([&revoked] { return !revoked->connected(); }));
    CHECK(MqttClient(market.mqtt_url(), ann_id).connect(token) == kNotAuthorized);
    CHECK(other->connected());
    const auto again = market.client(ann).fetch_broker_token(ann_id);
    REQUIRE_FALSE(again);
    CHECK(again.error().code == ErrorCode::PermissionDenied);
}

TEST_CASE("10 000 messages to an offline agent survive a stop of the broker") {
    const test::TempDir dir;
    test::Market market(dir.path());
    const auto ann = market.register_agent("Ann");
    const auto bob = market.register_agent("Bob");
    {
        const auto receiver = connect(market, ann);
        REQUIRE(receiver->subscribe(receive_topic(ann.agent_id)));
    }
    {
        const auto sender = connect(market, bob);
        REQUIRE(sender->publish_numbers(receive_topic(ann.agent_id), 0, 10'000));
    }
    market.stop_broker();
    market.start_broker();
    const auto receiver = connect(market, ann);
    for (int i = 0; i < 10'000; ++i) {
        const auto got = receiver->receive();
        REQUIRE(got == std::to_string(i));
    }
}

TEST_CASE("10 000 messages to an offline agent survive a SIGKILL two seconds after the last") {
    const test::TempDir dir;
    test::Market market(dir.path());
    const auto ann = market.register_agent("Ann");
    const auto bob = market.register_agent("Bob");
    {
        const auto receiver = connect(market, ann);
        REQUIRE(receiver->subscribe(receive_topic(ann.agent_id)));
    }
    {
        const auto sender = connect(market, bob);
        REQUIRE(sender->publish_numbers(receive_topic(ann.agent_id), 0, 9'999));
        REQUIRE(sender->publish(receive_topic(ann.agent_id), "the last one"));
    }
    REQUIRE(test::eventually([&] { return has_text(dir.path() / "broker.db", "the last one"); }));
    market.kill_broker();
    market.start_broker();
    const auto receiver = connect(market, ann);
    for (int i = 0; i < 9'999; ++i)
        REQUIRE(receiver->receive() == std::to_string(i));
    CHECK(receiver->receive() == "the last one");
}

TEST_CASE("mail for an agent that never connected survives a SIGKILL before the first mail") {
    const test::TempDir dir;
    test::Market market(dir.path());
    const auto ann = market.register_agent("Ann");
    const auto bob = market.register_agent("Bob");
    const std::string client_id = listener_client_id(bob.agent_id);
    const auto token = token_for(market, bob, client_id);
    // No mail has come yet; the broker must keep that the market wants to store it.
    REQUIRE(test::eventually(
        [&] { return has_text(dir.path() / "broker.db", market::kAllReceiveTopics); }));
    market.stop_market();
    market.kill_broker();
    market.start_broker();
    // The market is not back yet, and nothing else waits for this.
    MqttClient sender(market.mqtt_url(), client_id);
    REQUIRE(sender.connect(token) == 0);
    REQUIRE(sender.publish(receive_topic(ann.agent_id), "kept for the history"));
    CHECK(test::eventually(
        [&] { return has_text(dir.path() / "broker.db", "kept for the history"); }));
}
