// The events of the exchange that agents receive over the real broker.

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "core/base/ids.h"
#include "core/base/time_text.h"
#include "core/wire/envelope.h"
#include "market/broker/access.h"
#include "tests/integration/market/exchange.h"
#include "tests/support/raw_mqtt.h"

using namespace a2h;
using nlohmann::json;
using platform::Account;
using test::call;
using test::offer;
using test::server;

namespace {

/// An agent's mailbox, read from now on.
class Mailbox {
  public:
    explicit Mailbox(const Account& agent)
        : mqtt_(server().broker_port(), login(agent)), agent_id_(agent.agent_id) {
        REQUIRE(mqtt_.connected());
        REQUIRE(mqtt_.subscribe(market::receive_topic(agent_id_)));
    }

    /// Sends `payload` to another agent over the broker; its message id.
    std::string send(const Account& self, const Account& to, const json& payload) {
        const UnixMs now_ms = SystemClock().now_ms();
        OutboxMessage message;
        message.agent_id = agent_id_;
        message.target_id = to.agent_id;
        message.message_id = new_message_id(now_ms);
        message.trace_id = new_trace_id(now_ms);
        message.message_type = "chat.request";
        message.payload_json = payload.dump();
        const auto envelope = wire::sign_envelope(message, self.keys, now_ms);
        REQUIRE_MESSAGE(envelope.has_value(), envelope.error().message);
        mqtt_.publish(market::receive_topic(to.agent_id), *envelope);
        mqtt_.flush();
        return message.message_id;
    }

    /// The next envelope.
    json next_envelope() {
        while (true) {
            const auto event = mqtt_.read(std::chrono::seconds(20));
            REQUIRE(event);
            if (event->type != test::PacketType::Publish) continue;
            const json envelope = json::parse(event->payload);
            CHECK(envelope["target_id"] == agent_id_);
            return envelope;
        }
    }

    /// The payload of the next event of the market.
    json next() {
        const json envelope = next_envelope();
        CHECK(envelope["message_type"] == "a2h.event");
        return envelope["payload"];
    }

  private:
    static test::RawMqtt::Login login(const Account& agent) {
        const std::string client_id = market::listener_client_id(agent.agent_id);
        const auto token =
            call(agent, "POST", "/mqtt-token/api/v1/token", {{"client_id", client_id}});
        return {client_id, token.data()["username"], token.data()["password"]};
    }

    test::RawMqtt mqtt_;
    std::string agent_id_;
};

json payload(const std::string& type) {
    return {{"type", type}};
}

}  // namespace

TEST_CASE("the exchange tells each side over MQTT what the other one did") {
    const std::string type = test::unique("type");
    const auto buyer = test::plain_agent(server(), "Buyer");
    const auto seller = test::supplier("Seller", type, {"a", "b"});
    const auto unmatched = test::supplier("Unmatched", type, {"c"});
    Mailbox to_buyer(buyer);
    Mailbox to_seller(seller);
    Mailbox to_unmatched(unmatched);
    const std::string rfp =
        "/v1/rfps/" + test::new_rfp(buyer, type, {"a", "b"}, "2099-01-01T00:00:00Z");
    const json matched = to_seller.next();
    CHECK(matched["type"] == "rfp.event");
    CHECK(matched["event"] == "matched");
    CHECK(matched["rfp"]["title"] == "Wanted");
    CHECK(matched["text"].get<std::string>().find("Wanted") == std::string::npos);

    const std::string first = offer(seller, rfp, 100);
    const json submitted = to_buyer.next();
    CHECK(submitted["event"] == "submitted");
    CHECK(submitted["proposal_id"] == first);
    call(buyer, "PATCH", "/v1/proposals/" + first, {{"status", "rejected"}});
    CHECK(to_seller.next()["event"] == "rejected");

    const std::string other = "/v1/rfps/" + test::new_rfp(buyer, type, {"b"});
    CHECK(to_seller.next()["event"] == "matched");
    const std::string second = offer(seller, other, 100);
    CHECK(to_buyer.next()["event"] == "submitted");
    call(buyer, "PATCH", "/v1/proposals/" + second, {{"status", "accepted"}});
    const json accepted = to_seller.next();
    CHECK(accepted["event"] == "accepted");
    CHECK(accepted["deal_id"].get<std::string>().starts_with("deal_"));

    const auto talk = call(seller, "POST", "/v1/sessions", {{"agent_id", buyer.agent_id}});
    const std::string path =
        "/v1/sessions/" + talk.data()["session_id"].get<std::string>() + "/messages";
    json said = payload("offer");
    said["price"] = {{"currency", "CNY"}, {"amount", 5000}};
    call(seller, "POST", path, {{"payload", said}});
    const json told = to_buyer.next();
    CHECK(told["type"] == "session.event");
    CHECK(told["message"]["payload"]["price"]["amount"] == 5000);

    // The first event that reaches it is about its own RFP; the ones before were not.
    test::new_rfp(buyer, type, {"c"});
    CHECK(to_unmatched.next()["rfp"]["domain_filters"] == json{"c"});
}

TEST_CASE("an RFP that closes at its deadline notifies its creator and the suppliers that wait") {
    const std::string type = test::unique("type");
    const auto buyer = test::plain_agent(server(), "Buyer");
    const auto seller = test::supplier("Seller", type, {});
    Mailbox to_buyer(buyer);
    Mailbox to_seller(seller);
    const std::string rfp =
        "/v1/rfps/" +
        test::new_rfp(buyer, type, {}, to_envelope_time(SystemClock().now_ms() + 3000));
    offer(seller, rfp, 100);
    CHECK(to_seller.next()["event"] == "matched");
    CHECK(to_buyer.next()["event"] == "submitted");
    CHECK(to_seller.next()["event"] == "closed");
    const json closed = to_buyer.next();
    CHECK(closed["event"] == "closed");
    CHECK(closed["rfp"]["status"] == "closed");
}

TEST_CASE("every matched agent is notified, however many there are") {
    const std::string type = test::unique("type");
    const auto buyer = test::plain_agent(server(), "Buyer");
    std::vector<std::unique_ptr<Mailbox>> mailboxes;
    for (int i = 0; i < 205; ++i) {
        const auto agent = test::supplier("Seller", type, {});
        if (i % 20 == 0) mailboxes.push_back(std::make_unique<Mailbox>(agent));
    }
    test::new_rfp(buyer, type, {});
    for (const auto& mailbox : mailboxes)
        CHECK(mailbox->next()["event"] == "matched");
}

TEST_CASE("an offer and its acceptance over the broker make one deal, and both are notified") {
    const auto buyer = test::plain_agent(server(), "Buyer");
    const auto seller = test::plain_agent(server(), "Seller");
    const std::string session =
        call(buyer, "POST", "/v1/sessions", {{"agent_id", seller.agent_id}}).data()["session_id"];
    Mailbox to_buyer(buyer);
    Mailbox to_seller(seller);
    json offered = payload("offer");
    offered["price"] = {{"currency", "CNY"}, {"amount", 5000}};
    offered["attachment"] = {{"url", "https://example.org/a"}};
    const std::string offer_id = to_seller.send(seller, buyer, offered);
    CHECK(to_buyer.next_envelope()["message_id"] == offer_id);
    // An agent cannot accept its own offer.
    json accept = payload("accept");
    accept["offer_message_id"] = offer_id;
    to_seller.send(seller, buyer, accept);
    CHECK(to_buyer.next_envelope()["message_type"] == "chat.request");
    const json refused = to_seller.next();
    CHECK(refused["event"] == "refused");
    CHECK(refused["session_id"] == session);

    to_buyer.send(buyer, seller, accept);
    to_buyer.send(buyer, seller, accept);
    const json made = to_buyer.next();
    CHECK(made["type"] == "deal.event");
    CHECK(to_seller.next_envelope()["message_type"] == "chat.request");
    const std::string deal_id = made["deal_id"];
    const json deal = call(seller, "GET", "/v1/deals/" + deal_id).data();
    CHECK(deal["price_minor"] == 500000);
    CHECK(deal["session_id"] == session);
    CHECK(deal["offer_message_id"] == offer_id);
    CHECK(call(seller, "GET", "/v1/sessions/" + session + "/offers").data()["items"].size() == 1);
    CHECK(call(buyer, "GET", "/v1/deals").data()["items"].size() == 1);
}

TEST_CASE("a message that is no valid action stays an ordinary message") {
    const auto buyer = test::plain_agent(server(), "Buyer");
    const auto seller = test::plain_agent(server(), "Seller");
    const std::string path = "/v1/sessions/" +
                             call(buyer, "POST", "/v1/sessions", {{"agent_id", seller.agent_id}})
                                 .data()["session_id"]
                                 .get<std::string>() +
                             "/messages";
    Mailbox to_seller(seller);
    for (const char* text :
         {R"({"type":"offer"})", R"({"type":"offer","price":5})", R"({"type":7,"text":"x"})",
          R"({"type":"offer","price":{"currency":"CNY","amount":0.001}})",
          R"({"type":"accept","offer_message_id":"a\u0000b"})", R"({"attachment":{}})",
          R"({"text":["x"]})", R"({"type":"other","text":"x"})",
          R"({"text":"for another session","session_id":"ses_other"})"}) {
        to_seller.send(seller, buyer, json::parse(text));
    }
    const std::string good = to_seller.send(seller, buyer, {{"text", "hello"}});
    json items;
    CHECK(test::eventually([&] {
        items = call(buyer, "GET", path).data()["items"];
        return !items.empty();
    }));
    REQUIRE(items.size() == 1);
    CHECK(items[0]["message_id"] == good);
    CHECK(items[0]["type"] == "text");
}
