// The market's own agent: events over MQTT, and the history of messages between agents.

#include <doctest/doctest.h>

#include <fstream>
#include <set>

#include "core/base/ids.h"
#include "core/wire/canonical.h"
#include "core/wire/crypto.h"
#include "core/wire/envelope.h"
#include "market/broker/access.h"
#include "market/broker/token.h"
#include "tests/integration/market/mqtt_client.h"
#include "tests/support/market_http.h"
#include "tests/support/temp_dir.h"

using namespace a2h;
using nlohmann::json;
using test::Market;
using test::MqttClient;

namespace {

const std::string kOrders = "/findu-trade/api/v1/orders/";
constexpr auto kSoon = std::chrono::milliseconds(400);
constexpr int kNotAuthorized = 5;

Market& server() {
    static test::TempDir dir;
    static Market running(dir.path());
    return running;
}

test::Answer post(const platform::Account& account, const std::string& target,
                  const json& body = json::object()) {
    return test::call(account, "POST", target, body);
}

/// A seller who sells, and a buyer.
struct Trade {
    explicit Trade(Market& in) : market(in) {
        const auto answer = post(seller, "/findu-user/api/v1/user/works/change-requests",
                                 {{"type", 3}, {"title", "修电脑"}, {"content", "当天"}});
        service = answer.data()["worksId"];
    }

    std::string create() const {
        return post(seller, kOrders + "create",
                    {{"customerId", buyer.agent_id},
                     {"title", "t"},
                     {"price", 28000},
                     {"currency", "CNY"},
                     {"productId", service},
                     {"orderType", 3}})
            .data()["orderId"];
    }
    void act(const platform::Account& account, const std::string& id,
             const std::string& action) const {
        REQUIRE(post(account, kOrders + id + "/" + action).status == 200);
    }

    Market& market;
    platform::Account seller = test::plain_agent(market, "Seller");
    platform::Account buyer = test::plain_agent(market, "Buyer");
    std::string service;
};

platform::BrokerToken token_for(Market& market, const platform::Account& account,
                                const std::string& client_id) {
    auto token = market.client(account).fetch_broker_token(client_id);
    REQUIRE(token);
    return *token;
}

std::unique_ptr<MqttClient> listen(Market& market, const platform::Account& account) {
    const std::string id = market::listener_client_id(account.agent_id);
    auto client = std::make_unique<MqttClient>(market.mqtt_url(), id);
    REQUIRE(client->connect(token_for(market, account, id)) == 0);
    REQUIRE(client->subscribe(market::receive_topic(account.agent_id)));
    return client;
}

json own_agent(const Market& market) {
    http::ClientRequest request;
    request.url = market.url() + "/v1/market";
    return test::send(request).data();
}

/// The next message as a receiver sees it, which must be the market's.
json receive_event(MqttClient& client, const Market& market, const platform::Account& account) {
    const auto text = client.receive();
    REQUIRE(text);
    const auto outcome = wire::parse_envelope(*text, account.agent_id);
    REQUIRE(outcome.parsed);
    const json own = own_agent(market);
    CHECK(outcome.parsed->envelope.sender_id == own["agent_id"]);
    // Published clients take a sender that begins with ag_ for a peer and answer it.
    CHECK(is_market_sender_id(outcome.parsed->envelope.sender_id));
    CHECK(outcome.parsed->envelope.message_type == "a2h.event");
    CHECK(wire::check_sender_signature(*outcome.parsed, own["key_id"].get<std::string>(),
                                       own["public_key"].get<std::string>()) ==
          wire::SignatureCheck::Valid);
    const http::ClientRequest vouch = test::plain_request(account, "POST", "/v1/messages/verify",
                                                          json{{"envelope", *text}}.dump());
    CHECK(test::send(vouch).data()["verified"] == true);
    json event = json::parse(outcome.parsed->envelope.payload_json);
    event["message_id"] = outcome.parsed->envelope.message_id;
    return event;
}

std::string signed_text(const platform::Account& from, const std::string& to,
                        const std::string& text, const std::string& message_id) {
    OutboxMessage message;
    message.agent_id = from.agent_id;
    message.target_id = to;
    message.message_id = message_id;
    message.message_type = "chat.request";
    message.trace_id = "trace_1";
    message.payload_json = json{{"text", text}}.dump();
    return *wire::sign_envelope(message, from.keys, SystemClock().now_ms());
}

json history(const platform::Account& account, const std::string& other,
             const std::string& more = "") {
    return test::call(account, "GET",
                      "/agent-message/api/v1/agents/sessions/messages?sessionId=" +
                          session_id(account.agent_id, other) + more)
        .data();
}

/// Returns when the recorder has subscribed: messages from before its first subscription are not
/// kept.
void await_recorder(Market& market) {
    const auto ann = test::plain_agent(market, "Ann");
    const auto client = listen(market, ann);
    const std::string to = test::plain_agent(market, "Bob").agent_id;
    const std::string text = signed_text(ann, to, "Do you hear me?", "msg_0");
    REQUIRE(test::eventually([&] {
        client->publish(market::receive_topic(to), text);
        return history(ann, to)["total"] == 1;
    }));
}

}  // namespace

TEST_CASE("both sides are notified of every move by the market's own agent, in order") {
    const Trade trade(server());
    const auto seller = listen(server(), trade.seller);
    const auto buyer = listen(server(), trade.buyer);
    const std::string id = trade.create();
    trade.act(trade.buyer, id, "confirm");
    trade.act(trade.buyer, id, "confirm");
    trade.act(trade.seller, id, "confirm-received");
    for (const std::string status : {"PENDING_CONFIRM", "CONFIRMED", "PAID"}) {
        const json to_seller = receive_event(*seller, server(), trade.seller);
        const json to_buyer = receive_event(*buyer, server(), trade.buyer);
        CHECK(to_seller["order"]["status"] == status);
        CHECK(to_seller["order"]["currentType"] == 2);
        CHECK(to_buyer["order"]["status"] == status);
        CHECK(to_buyer["order"]["currentType"] == 1);
        CHECK(to_buyer["orderId"] == id);
        CHECK_FALSE(to_buyer["text"].get<std::string>().empty());
    }
    CHECK_FALSE(buyer->receive(kSoon));
}

TEST_CASE("the market works while the broker is away and sends everything afterwards") {
    test::TempDir dir;
    Market market(dir.path());
    const Trade trade(market);
    listen(market, trade.buyer)->disconnect();
    market.stop_broker();
    const std::string id = trade.create();
    trade.act(trade.buyer, id, "confirm");
    market.kill_market();
    market.start_market();
    trade.act(trade.seller, id, "confirm-received");
    market.start_broker();
    const auto buyer = listen(market, trade.buyer);
    for (const std::string status : {"PENDING_CONFIRM", "CONFIRMED", "PAID"})
        CHECK(receive_event(*buyer, market, trade.buyer)["order"]["status"] == status);
    CHECK_FALSE(buyer->receive(kSoon));
}

TEST_CASE("a market that is killed while it sends events loses none and changes no id") {
    test::TempDir dir;
    Market market(dir.path());
    const Trade trade(market);
    const auto buyer = listen(market, trade.buyer);
    std::vector<std::string> orders;
    for (int round = 0; round < 4; ++round) {
        for (int i = 0; i < 10; ++i)
            orders.push_back(trade.create());
        market.kill_market();
        market.start_market();
    }
    // One that was acknowledged but not yet deleted comes again with its id: a duplicate.
    std::vector<std::string> told;
    std::set<std::string> ids;
    while (told.size() < orders.size()) {
        const json event = receive_event(*buyer, market, trade.buyer);
        if (ids.insert(event["message_id"]).second) told.push_back(event["orderId"]);
    }
    CHECK(told == orders);
    while (const auto late = buyer->receive(kSoon))
        CHECK(ids.contains(json::parse(*late)["message_id"]));
}

TEST_CASE("history has what two agents said, newest first, for these two only") {
    await_recorder(server());
    const auto ann = test::plain_agent(server(), "Ann");
    const auto bob = test::plain_agent(server(), "Bob");
    const auto eve = test::plain_agent(server(), "Eve");
    const auto from_ann = listen(server(), ann);
    const auto from_bob = listen(server(), bob);
    for (int i = 0; i < 5; ++i) {
        const bool by_ann = i % 2 == 0;
        const auto& sender = by_ann ? ann : bob;
        const std::string& to = (by_ann ? bob : ann).agent_id;
        REQUIRE((by_ann ? from_ann : from_bob)
                    ->publish(market::receive_topic(to), signed_text(sender, to, std::to_string(i),
                                                                     "msg_" + std::to_string(i))));
        REQUIRE(test::eventually([&] { return history(ann, bob.agent_id)["total"] == i + 1; }));
    }
    const json page = history(bob, ann.agent_id);
    CHECK(page["me"] == json{{"agentId", bob.agent_id}, {"nickname", "Bob"}});
    CHECK(page["partner"] == json{{"agentId", ann.agent_id}, {"nickname", "Ann"}});
    CHECK(page["items"] == page["records"]);
    for (std::size_t i = 0; i < 5; ++i) {
        const json& row = page["items"][i];
        CHECK(row["messageId"] == "msg_" + std::to_string(4 - i));
        CHECK(row["senderId"] == (i % 2 == 0 ? ann : bob).agent_id);
        CHECK(row["traceId"] == "trace_1");
        const json envelope = json::parse(row["content"].get<std::string>());
        CHECK(envelope["payload"]["text"] == std::to_string(4 - i));
    }
    const json second = history(ann, bob.agent_id, "&page=2&limit=2");
    CHECK(second["items"][0]["messageId"] == "msg_2");
    CHECK(second["items"][1]["messageId"] == "msg_1");
    const auto foreign = test::call(eve, "GET",
                                    "/agent-message/api/v1/agents/sessions/messages?sessionId=" +
                                        session_id(ann.agent_id, bob.agent_id));
    CHECK(foreign.code() == "PLATFORM_410");
    for (const std::string& session :
         {std::string("x"), std::string("_"), ann.agent_id, ann.agent_id + "_" + ann.agent_id,
          ann.agent_id + "_" + bob.agent_id + "_x"}) {
        CAPTURE(session);
        CHECK(test::call(ann, "GET",
                         "/agent-message/api/v1/agents/sessions/messages?sessionId=" + session)
                  .code() ==
              (session_id(ann.agent_id, bob.agent_id) == session ? "200" : "PLATFORM_410"));
    }
}

TEST_CASE("an agent gets what everybody has sent to it, and nobody else does") {
    await_recorder(server());
    const auto ann = test::plain_agent(server(), "Ann");
    const auto bob = test::plain_agent(server(), "Bob");
    const auto eve = test::plain_agent(server(), "Eve");
    for (const auto& sender : {bob, eve}) {
        const std::string text = signed_text(sender, ann.agent_id, sender.agent_id, "msg_1");
        REQUIRE(listen(server(), sender)->publish(market::receive_topic(ann.agent_id), text));
        REQUIRE(test::eventually([&] { return history(ann, sender.agent_id)["total"] == 1; }));
    }
    const auto incoming = [](const platform::Account& agent, const std::string& query = "") {
        return test::call(agent, "GET", "/v1/messages" + query).data();
    };
    const json all = incoming(ann);
    REQUIRE(all["items"].size() == 2);
    CHECK(all["items"][0]["sender_id"] == bob.agent_id);
    CHECK(all["items"][1]["sender_id"] == eve.agent_id);
    CHECK(wire::parse_envelope(all["items"][0]["envelope"].get<std::string>(), ann.agent_id)
              .parsed.has_value());
    const json first = incoming(ann, "?limit=1");
    CHECK(first["items"].size() == 1);
    CHECK(first["more"] == true);
    const json rest = incoming(ann, "?after=" + first["after"].dump());
    CHECK(rest["items"] == json::array({all["items"][1]}));
    CHECK(rest["more"] == false);
    CHECK(incoming(bob)["items"].empty());
    CHECK(test::send({.url = server().url() + "/v1/messages"}).status == 401);
}

TEST_CASE("R45: a message that its receiver refuses is listed there, but in no session") {
    await_recorder(server());
    const auto ann = test::plain_agent(server(), "Ann");
    const auto bob = test::plain_agent(server(), "Bob");
    json envelope = json::parse(signed_text(bob, ann.agent_id, "I withdraw.", "msg_1"));
    envelope["schema_version"] = "2.0.0";
    envelope.erase("signature");
    envelope.erase("sender_signature");
    envelope.erase("sender_key_id");
    envelope["signature"] =
        wire::hmac_sha256_hex(bob.keys.agent_key, wire::canonical_json(envelope));
    const auto sender = listen(server(), bob);
    REQUIRE(sender->publish(market::receive_topic(ann.agent_id), envelope.dump()));
    const auto incoming = [&] { return test::call(ann, "GET", "/v1/messages").data()["items"]; };
    REQUIRE(test::eventually([&] { return incoming().size() == 1; }));
    CHECK(incoming()[0]["envelope"] == envelope.dump());
    CHECK(history(ann, bob.agent_id)["total"] == 0);
}

TEST_CASE("nothing forged, repeated, misdirected or to oneself gets into the history") {
    await_recorder(server());
    const auto ann = test::plain_agent(server(), "Ann");
    const auto bob = test::plain_agent(server(), "Bob");
    const auto eve = test::plain_agent(server(), "Eve");
    const auto sender = listen(server(), eve);
    const std::string to_bob = market::receive_topic(bob.agent_id);
    auto as_ann = eve;
    as_ann.agent_id = ann.agent_id;
    sender->publish(to_bob, signed_text(as_ann, bob.agent_id, "forged", "msg_1"));
    sender->publish(to_bob, "not an envelope");
    sender->publish(to_bob, signed_text(eve, ann.agent_id, "for another", "msg_2"));
    sender->publish(market::receive_topic(eve.agent_id),
                    signed_text(eve, eve.agent_id, "to myself", "msg_3"));
    auto with_nul = signed_text(eve, bob.agent_id, "nul", std::string("msg_\0x", 6));
    sender->publish(to_bob, with_nul);
    const auto first = signed_text(eve, bob.agent_id, "first", "msg_4");
    sender->publish(to_bob, first);
    sender->publish(to_bob, signed_text(eve, bob.agent_id, "second", "msg_4"));
    sender->publish(to_bob, first);
    sender->publish(to_bob, signed_text(eve, bob.agent_id, "last", "msg_5"));
    REQUIRE(test::eventually([&] { return history(eve, bob.agent_id)["total"] == 2; }));
    const json rows = history(bob, eve.agent_id)["items"];
    CHECK(rows[0]["messageId"] == "msg_5");
    CHECK(rows[1]["content"] == first);
    CHECK(history(bob, ann.agent_id)["total"] == 0);
    CHECK(history(ann, eve.agent_id)["total"] == 0);
}

TEST_CASE("a message whose time nobody can read is in the history, too") {
    await_recorder(server());
    const auto ann = test::plain_agent(server(), "Ann");
    const auto bob = test::plain_agent(server(), "Bob");
    const auto sender = listen(server(), ann);
    int number = 0;
    for (const char* time : {"2026-11-23T16:53:20", "1760000000000", "10000-01-01T00:00:00Z",
                             "Mon, 23 Nov 2026 16:53:20 GMT", "now"}) {
        json envelope =
            json::parse(signed_text(ann, bob.agent_id, "hello", "msg_" + std::to_string(++number)));
        envelope["timestamp"] = time;
        envelope.erase("signature");
        envelope.erase("sender_signature");
        envelope.erase("sender_key_id");
        envelope["signature"] =
            wire::hmac_sha256_hex(ann.keys.agent_key, wire::canonical_json(envelope));
        sender->publish(market::receive_topic(bob.agent_id), wire::canonical_json(envelope));
    }
    CHECK(test::eventually([&] { return history(ann, bob.agent_id)["total"] == number; }));
}

TEST_CASE("messages sent while the market is down are in the history afterwards") {
    test::TempDir dir;
    Market market(dir.path());
    await_recorder(market);
    const auto ann = test::plain_agent(market, "Ann");
    const auto bob = test::plain_agent(market, "Bob");
    const auto client = listen(market, ann);
    const auto say = [&](const std::string& id) {
        REQUIRE(client->publish(market::receive_topic(bob.agent_id),
                                signed_text(ann, bob.agent_id, "hi", id)));
    };
    say("msg_1");
    REQUIRE(test::eventually([&] { return history(ann, bob.agent_id)["total"] == 1; }));
    market.kill_market();
    for (int i = 2; i <= 20; ++i)
        say("msg_" + std::to_string(i));
    market.start_market();
    REQUIRE(test::eventually([&] { return history(ann, bob.agent_id)["total"] == 20; }));
    CHECK(history(bob, ann.agent_id, "&limit=1")["items"][0]["messageId"] == "msg_20");
}

TEST_CASE("an agent sees the market's messages to it, too") {
    const Trade trade(server());
    const std::string id = trade.create();
    const std::string own = own_agent(server())["agent_id"];
    REQUIRE(test::eventually([&] { return history(trade.buyer, own)["total"] == 1; }));
    const json row = history(trade.buyer, own)["items"][0];
    CHECK(row["senderId"] == own);
    CHECK(json::parse(row["content"].get<std::string>())["payload"]["orderId"] == id);
    CHECK(history(trade.buyer, own)["partner"] ==
          json{{"agentId", own}, {"nickname", "A2H Market"}});
    // Under the id of former releases, too.
    CHECK(history(trade.buyer, agent_of_market_sender(own))["items"][0] == row);
    const auto incoming = test::call(trade.buyer, "GET", "/v1/messages").data();
    CHECK(incoming["items"][0]["sender_id"] == own);
}

TEST_CASE("only the market's own token reads everybody's mail") {
    auto& market = server();
    const auto mallory = test::plain_agent(market, "Mallory");
    const std::string recorder = market::recorder_client_id(mallory.agent_id);
    const auto refused = market.client(mallory).fetch_broker_token(recorder);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == ErrorCode::PermissionDenied);
    const std::string own_id = market::listener_client_id(mallory.agent_id);
    CHECK(MqttClient(market.mqtt_url(), recorder).connect(token_for(market, mallory, own_id)) ==
          kNotAuthorized);
    // Even a token of the market's key that lacks the role, or has it for another client id.
    const auto signer = market::TokenSigner::open(market.dir());
    const std::int64_t now_s = test::now_s();
    const auto login = [&](const std::string& token_id, market::BrokerRole role,
                           const std::string& client_id) {
        const auto token = signer->sign({mallory.agent_id, token_id, now_s, now_s + 60, role});
        return MqttClient(market.mqtt_url(), client_id).connect(mallory.agent_id, *token);
    };
    using market::BrokerRole;
    CHECK(login(recorder, BrokerRole::Agent, recorder) == kNotAuthorized);
    CHECK(login(own_id, BrokerRole::Recorder, own_id) == kNotAuthorized);
    CHECK(login(own_id, BrokerRole::Recorder, recorder) == kNotAuthorized);
    CHECK(login(recorder, BrokerRole::Recorder, recorder) == 0);
    // The role permits reading agents' mail, not connecting to the broker as another client.
    MqttClient listener(market.mqtt_url(), recorder);
    REQUIRE(listener.connect(mallory.agent_id, *signer->sign({mallory.agent_id, recorder, now_s,
                                                              now_s + 60, BrokerRole::Recorder})) ==
            0);
    CHECK(listener.subscribe("P2P_TOPIC/p2p/+"));
    CHECK_FALSE(listener.subscribe("#"));
    CHECK_FALSE(listener.subscribe("$SYS/#"));
}

TEST_CASE("only the market can use the market's agent id") {
    const auto mallory = test::plain_agent(server(), "Mallory");
    const auto bob = test::plain_agent(server(), "Bob");
    auto disguised = mallory;
    disguised.agent_id = market_sender_id(mallory.agent_id);
    const std::string text = signed_text(disguised, bob.agent_id, "pay here", "msg_1");
    const http::ClientRequest vouch =
        test::plain_request(bob, "POST", "/v1/messages/verify", json{{"envelope", text}}.dump());
    CHECK(test::send(vouch).data()["verified"] == false);
    CHECK(test::send({.url = server().url() + "/v1/agents/" + disguised.agent_id}).status == 404);
}

TEST_CASE("GET /v1/market names an agent that can be looked up") {
    const json own = own_agent(server());
    http::ClientRequest request;
    request.url = server().url() + "/v1/agents/" + own["agent_id"].get<std::string>();
    const json record = test::send(request).data();
    CHECK(record["public_key"] == own["public_key"]);
    CHECK(record["name"] == own["name"]);
    CHECK(own["mqtt_url"] == server().mqtt_url());
}

namespace {

/// A private certificate authority and what it signed for 127.0.0.1.
struct Authority {
    explicit Authority(const std::filesystem::path& in) : dir(in) {
        std::filesystem::create_directories(dir);
        std::ofstream(dir / "names") << "subjectAltName=IP:127.0.0.1\n";
        openssl({"req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                 "-days", "2", "-subj", "/CN=private authority", "-keyout", file("ca.key"), "-out",
                 file("ca.pem")});
        openssl({"req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj",
                 "/CN=broker", "-keyout", file("broker.key"), "-out", file("broker.csr")});
        openssl({"x509", "-req", "-in", file("broker.csr"), "-CA", file("ca.pem"), "-CAkey",
                 file("ca.key"), "-CAcreateserial", "-days", "2", "-extfile", file("names"), "-out",
                 file("broker.pem")});
    }
    std::string file(const std::string& name) const { return dir / name; }
    std::string listener_lines(std::uint16_t port) const {
        return "listener " + std::to_string(port) + " 127.0.0.1\ncertfile " + file("broker.pem") +
               "\nkeyfile " + file("broker.key") + "\n";
    }
    static void openssl(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "openssl");
        const auto ran = test::run(std::move(arguments));
        REQUIRE_MESSAGE(ran.status == 0, ran.err);
    }
    std::filesystem::path dir;
};

json health(const Market& market) {
    return test::send({.url = market.url() + "/healthz"}).body;
}

}  // namespace

TEST_CASE("the relay speaks to a broker whose certificate is of a private authority") {
    test::TempDir dir;
    const Authority authority(dir.path() / "ca");
    const std::uint16_t port = test::free_port();
    const std::string tls_url = "mqtts://127.0.0.1:" + std::to_string(port);
    Market market(dir.path() / "market",
                  {"--mqtt-url", tls_url, "--mqtt-ca-file", authority.file("ca.pem")},
                  authority.listener_lines(port));
    REQUIRE(test::eventually([&] { return health(market)["relay"] == "connected"; },
                             std::chrono::seconds(20)));
    await_recorder(market);
    const Trade trade(market);
    const auto seller = listen(market, trade.seller);
    trade.create();
    CHECK(receive_event(*seller, market, trade.seller)["order"]["action"] == "create");
}

TEST_CASE("without that authority the relay does not speak to such a broker") {
    test::TempDir dir;
    const Authority authority(dir.path() / "ca");
    const Authority other(dir.path() / "other");
    const std::uint16_t port = test::free_port();
    const std::string tls_url = "mqtts://127.0.0.1:" + std::to_string(port);
    const std::vector<std::string> trusts[] = {{}, {"--mqtt-ca-file", other.file("ca.pem")}};
    for (const auto& trust : trusts) {
        std::vector<std::string> options{"--mqtt-url", tls_url};
        options.insert(options.end(), trust.begin(), trust.end());
        Market market(dir.path() / ("market" + std::to_string(trust.size())), options,
                      authority.listener_lines(port));
        const auto refused = [&] {
            std::ifstream log(market.dir() / "broker.log");
            const std::string text((std::istreambuf_iterator<char>(log)), {});
            return text.find("alert") != text.npos || text.find("OpenSSL Error") != text.npos;
        };
        CHECK(test::eventually(refused, std::chrono::seconds(20)));
        CHECK(health(market)["relay"] == "disconnected");
    }
}
