// What the market records: everything that its receiver may count as said.

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/ids.h"
#include "core/base/time_text.h"
#include "core/wire/canonical.h"
#include "core/wire/crypto.h"
#include "market/broker/access.h"
#include "market/relay/recorder.h"
#include "market/store/agent_store.h"
#include "market/sweep.h"
#include "tests/support/bare_market.h"

using namespace a2h;
using namespace a2h::market;
using nlohmann::json;

namespace {

std::string hash_of(const json& payload) {
    return wire::sha256_hex(wire::canonical_json(payload));
}

/// Bob writes to Ann, in forms that her a2hd refuses unless a test changes the form.
struct Writer : a2h::test::BareMarket {
    wire::SigningKeys keys{.agent_key = "key-of-bob", .key_pair = wire::new_key_pair()};
    Recorder recorder{*database, clock, own_agent.sender_id(), std::chrono::days(2)};

    Writer() {
        parts.history_kept = std::chrono::days(2);
        Agent bob;
        bob.agent_id = "ag_bob";
        bob.name = "Bob";
        bob.agent_key = keys.agent_key;
        bob.key_id = keys.key_pair.key_id;
        bob.public_key = keys.key_pair.public_key;
        REQUIRE(database->write_with(store::add_agent, bob));
    }

    json envelope() const {
        return {{"protocol", wire::kProtocol},
                {"schema_version", "2.0.0"},
                {"message_type", "chat.request"},
                {"message_id", "msg_1"},
                {"trace_id", "trace_1"},
                {"sender_id", "ag_bob"},
                {"target_id", ann.agent_id},
                {"timestamp", to_envelope_time(clock.now_ms())},
                {"nonce", "00"},
                {"payload", {{"text", "I withdraw my offer."}}}};
    }
    std::string signed_with_key(json envelope) const {
        envelope["sender_key_id"] = keys.key_pair.key_id;
        envelope["sender_signature"] =
            wire::ed25519_sign(keys.key_pair.secret_key, wire::canonical_json(envelope)).value();
        return with_hmac(std::move(envelope));
    }
    std::string with_hmac(json envelope) const {
        envelope["signature"] =
            wire::hmac_sha256_hex(keys.agent_key, wire::canonical_json(envelope));
        return envelope.dump();
    }
    void record(const std::string& payload) {
        REQUIRE(recorder.record(receive_topic(ann.agent_id), payload));
    }

    json get(const std::string& target) {
        const auto response = send("GET", target);
        REQUIRE_MESSAGE(response.status == 200, response.body);
        const json answer = json::parse(response.body);
        return answer.contains("data") ? answer["data"] : answer;
    }
    json incoming() { return get("/v1/messages")["items"]; }
    json in_session() {
        return get("/agent-message/api/v1/agents/sessions/messages?sessionId=" +
                   session_id("ag_bob", ann.agent_id))["total"];
    }
};

}  // namespace

TEST_CASE("R45: a message that is refused for its form is recorded, but in no session") {
    Writer bob;
    std::vector<json> forms;
    for (const auto& [name, value] :
         std::vector<std::pair<const char*, json>>{{"schema_version", "2.0.0"},
                                                   {"trace_id", ""},
                                                   {"protocol", "a2hmarket-b2b"},
                                                   {"message_id", std::string(300, 'x')},
                                                   {"message_id", 7},
                                                   {"target_id", " "},
                                                   {"payload", json::array({"no"})}}) {
        forms.push_back(bob.envelope());
        forms.back()[name] = value;
    }
    json deep = "I withdraw my offer.";
    for (int i = 0; i < 60; ++i)
        deep = json::array({std::move(deep)});
    forms.push_back(bob.envelope());
    forms.back()["payload"]["deep"] = std::move(deep);
    std::size_t count = 0;
    for (const json& form : forms) {
        CAPTURE(form.dump());
        for (const std::string& payload : {bob.signed_with_key(form), bob.with_hmac(form)}) {
            bob.record(payload);
            bob.record(payload);  // the same bytes once
            const json items = bob.incoming();
            REQUIRE(items.size() == ++count);
            CHECK(items.back()["envelope"] == payload);
            CHECK(items.back()["sender_id"] == "ag_bob");
            CHECK(items.back()["message_id"].get<std::string>().starts_with("apart_"));
        }
    }
    CHECK(bob.in_session() == 0);
}

TEST_CASE("a refused message is not recorded if its sender cannot be known") {
    Writer bob;
    json envelope = bob.envelope();
    std::string payload;
    SUBCASE("not an envelope") {
        payload = "[]";
    }
    SUBCASE("without a signature") {
        payload = envelope.dump();
    }
    SUBCASE("with another's key") {
        bob.keys.key_pair = wire::new_key_pair();
        payload = bob.signed_with_key(envelope);
    }
    SUBCASE("with another's HMAC") {
        bob.keys.agent_key = "key-of-eve";
        payload = bob.with_hmac(envelope);
    }
    SUBCASE("in the name of an agent that nobody knows") {
        envelope["sender_id"] = "ag_nobody";
        payload = bob.signed_with_key(envelope);
    }
    SUBCASE("genuine, but addressed to another agent") {
        envelope["target_id"] = "ag_eve";
        payload = bob.signed_with_key(envelope);
    }
    SUBCASE("larger than what the broker carries") {
        envelope["payload"]["long"] = std::string(70'000, 'x');
        payload = bob.signed_with_key(envelope);
    }
    bob.record(payload);
    CHECK(bob.incoming().empty());
    CHECK(bob.recorder.dropped() == 1);
}

TEST_CASE("the same bytes to nobody are recorded in each mailbox") {
    Writer bob;
    json envelope = bob.envelope();
    envelope["target_id"] = "everybody";
    const std::string payload = bob.signed_with_key(envelope);
    Agent eve;
    eve.agent_id = "ag_eve";
    eve.name = "Eve";
    eve.agent_key = "key-of-eve";
    eve.public_key = "pk3";
    REQUIRE(bob.database->write_with(store::add_agent, eve));
    REQUIRE(bob.recorder.record(receive_topic("ag_eve"), payload));
    CHECK(bob.incoming().empty());
    bob.record(payload);
    CHECK(bob.incoming().size() == 1);
}

TEST_CASE("a refused message leaves the history like any other") {
    Writer bob;
    bob.record(bob.signed_with_key(bob.envelope()));
    bob.clock.advance(std::chrono::days(3));
    CHECK(bob.incoming().empty());
    REQUIRE(sweep(bob.parts));
    bob.clock.set_wall(a2h::test::BareMarket::kNow);
    CHECK(bob.incoming().empty());
}

TEST_CASE("R1: all that a sender has signed under one id is recorded, the first in the session") {
    Writer bob;
    json first = bob.envelope();
    first["schema_version"] = wire::kSchemaVersion;
    json second = first;
    second["payload"]["text"] = "280 CNY, and the next greeting accepts it.";
    for (json* const envelope : {&first, &second})
        (*envelope)["payload_hash"] = hash_of((*envelope)["payload"]);
    for (const json& envelope : {first, second}) {
        const std::string payload = bob.signed_with_key(envelope);
        bob.record(payload);
        bob.record(payload);  // the same bytes once
    }
    const json items = bob.incoming();
    REQUIRE(items.size() == 2);
    CHECK(items[0]["message_id"] == "msg_1");
    CHECK(items[1]["message_id"].get<std::string>().starts_with("apart_"));
    CHECK(json::parse(items[1]["envelope"].get<std::string>())["payload"] == second["payload"]);
    CHECK(bob.in_session() == 1);
}

TEST_CASE("R1: an id that was used to another receiver hides nothing") {
    Writer bob;
    Agent eve;
    eve.agent_id = "ag_eve";
    eve.name = "Eve";
    eve.agent_key = "key-of-eve";
    eve.public_key = "pk3";
    REQUIRE(bob.database->write_with(store::add_agent, eve));
    json to_eve = bob.envelope();
    to_eve["schema_version"] = wire::kSchemaVersion;
    to_eve["payload_hash"] = hash_of(to_eve["payload"]);
    json to_ann = to_eve;
    to_eve["target_id"] = "ag_eve";
    REQUIRE(bob.recorder.record(receive_topic("ag_eve"), bob.signed_with_key(to_eve)));
    CHECK(bob.incoming().empty());
    bob.record(bob.signed_with_key(to_ann));
    CHECK(bob.incoming().size() == 1);
}

TEST_CASE("one valid signature of the sender is enough to be recorded") {
    Writer bob;
    json envelope = bob.envelope();
    envelope["schema_version"] = wire::kSchemaVersion;
    envelope["payload_hash"] = hash_of(envelope["payload"]);
    SUBCASE("the key's, although the HMAC is wrong") {
        const std::string agent_key = std::exchange(bob.keys.agent_key, "key-of-eve");
        bob.record(bob.signed_with_key(envelope));
        bob.keys.agent_key = agent_key;
    }
    SUBCASE("the HMAC alone") {
        bob.record(bob.with_hmac(envelope));
    }
    CHECK(bob.incoming().size() == 1);
    CHECK(bob.in_session() == 1);
}

TEST_CASE("a message older than the history, or of a revoked agent, is recorded apart") {
    Writer bob;
    json envelope = bob.envelope();
    SUBCASE("its receiver accepts it, and it is old") {
        envelope["schema_version"] = wire::kSchemaVersion;
        envelope["timestamp"] = "2020-01-01T00:00:00.000Z";
    }
    SUBCASE("its receiver refuses it, and it is old") {
        envelope["timestamp"] = "2020-01-01T00:00:00.000Z";
    }
    SUBCASE("its sender is revoked") {
        envelope["schema_version"] = wire::kSchemaVersion;
        REQUIRE(bob.database->write_with(store::revoke_agent, std::string_view("ag_bob"),
                                         bob.clock.now_ms()));
    }
    envelope["payload_hash"] = hash_of(envelope["payload"]);
    bob.record(bob.signed_with_key(envelope));
    CHECK(bob.incoming().size() == 1);
    CHECK(bob.in_session() == 0);
}

TEST_CASE("R74: an acceptance makes a deal only with the key that its sender has registered") {
    Writer bob;
    const auto post = [&](const std::string& target, const json& body) {
        const auto response = bob.send("POST", target, body.dump());
        REQUIRE_MESSAGE(response.status / 100 == 2, response.body);
        return json::parse(response.body)["data"];
    };
    const std::string session = post("/v1/sessions", {{"agent_id", "ag_bob"}})["session_id"];
    const json offer =
        post("/v1/sessions/" + session + "/messages",
             {{"payload", {{"type", "offer"}, {"price", {{"currency", "CNY"}, {"amount", 250}}}}}});
    json accept = bob.envelope();
    accept["schema_version"] = wire::kSchemaVersion;
    accept["payload"] = {{"type", "accept"}, {"offer_message_id", offer["message_id"]}};
    accept["payload_hash"] = hash_of(accept["payload"]);
    const auto deals = [&] { return bob.get("/v1/deals")["items"].size(); };
    bob.record(bob.with_hmac(accept));
    CHECK(bob.in_session() == 1);
    CHECK(deals() == 0);
    accept["message_id"] = "msg_2";
    bob.record(bob.signed_with_key(accept));
    CHECK(deals() == 1);
}
