// Messages that others send in somebody's name, on a real broker that permits everything, to a real
// a2hd.

#include <doctest/doctest.h>

#include <string>
#include <utility>

#include "core/wire/canonical.h"
#include "tests/integration/hostile/scene.h"
#include "tests/support/told_number.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

TEST_CASE("R3: a forged sender is refused or stays unverified, and a forgery is shown to nobody") {
    Scene scene;
    const platform::Account alice = scene.market.register_agent("alice");
    const platform::Account bob = scene.market.register_agent("bob");
    const std::string& alice_id = alice.agent_id;
    const std::string& bob_id = bob.agent_id;
    scene.publish(signed_message(alice, scene.seller.agent_id, {.text = "thanks"}));
    REQUIRE(scene.settled(1));
    CHECK(scene.history(alice_id).at(0).at("provenance") == "verified");

    const auto forged = [&](const platform::Account& victim, const char* text) {
        json envelope = envelope_from(victim, scene.seller.agent_id);
        envelope["payload"]["text"] = text;
        return envelope;
    };
    const wire::SigningKeys& wrong_keys = scene.mallory.keys;
    SUBCASE("a pinned key: the message is refused before it is stored") {
        scene.publish(resigned(forged(alice, "I accept 1 CNY"), wrong_keys));
        CHECK(eventually([&] { return scene.refused("bad_signature") == 1; }));
        CHECK(scene.counts().at("received") == 1);
        CHECK(scene.history(alice_id).size() == 1);
    }
    SUBCASE("an unknown key: the message is detected, and neither shown nor asked about") {
        scene.publish(resigned(forged(bob, "Would you take 1 CNY for it?"), wrong_keys));
        CHECK(scene.settled(2));
        CHECK(scene.history(bob_id).empty());
        CHECK(scene.data("approval.list").at("approvals").empty());
    }
    SUBCASE("without a sender signature: the market does not vouch for it") {
        scene.publish(resigned(forged(bob, "Would you take 1 CNY for it?"), wrong_keys, false));
        CHECK(scene.settled(2));
        CHECK(scene.history(bob_id).empty());
        CHECK(scene.data("approval.list").at("approvals").empty());
    }
    SUBCASE("signed with the forger's own key: never verified") {
        json envelope = forged(alice, "thanks again");
        envelope["sender_key_id"] = wrong_keys.key_pair.key_id;
        scene.publish(resigned(envelope, wrong_keys));
        CHECK(scene.settled(2));
        for (const json& item : scene.history(alice_id)) {
            CHECK((item.at("text") == "thanks") == (item.at("provenance") == "verified"));
        }
    }
    SUBCASE("genuine, but without a sender signature: the market vouches for it") {
        scene.publish(resigned(forged(bob, "thanks"), bob.keys, false));
        CHECK(scene.settled(2));
        CHECK(scene.history(bob_id).at(0).at("provenance") == "vouched");
    }
}

namespace {

/// A peer that has written once, so that its key is pinned, and an attacker that writes in its
/// name.
struct Impersonated : Scene {
    platform::Account alice = market.register_agent("alice");
    std::int64_t received = 0;

    Impersonated() { hear(signed_message(alice, seller.agent_id, {.text = "thanks"})); }

    void hear(const std::string& payload) {
        publish(payload);
        REQUIRE(settled(++received));
    }
    json in_name_of(const platform::Account& victim, const std::string& text) const {
        json envelope = envelope_from(victim, seller.agent_id);
        envelope["payload"]["text"] = text;
        return envelope;
    }
    /// Signed with an unknown key of the forger's own.
    std::string with_own_key(json envelope) const {
        envelope["sender_key_id"] = mallory.keys.key_pair.key_id;
        return resigned(std::move(envelope), mallory.keys);
    }
    /// The stored message of alice with this text; empty if it is not shown to anybody.
    json message_with(const std::string& text, const std::string& peer_id) {
        const json items = data("inbox.history", {{"peer_id", peer_id}, {"limit", 100}})["items"];
        for (const json& item : items) {
            if (item.at("text") == text) return item;
        }
        return json::object();
    }
    json explained(const std::string& text, const std::string& peer_id) {
        const json found = message_with(text, peer_id);
        CAPTURE(text);
        REQUIRE(found.contains("message_id"));
        return data("message.explain", {{"message_id", found.at("message_id")}});
    }
    /// The only open question about a message that is certainly of who it says.
    json verified_question() {
        const json asked = data("approval.list", {{"status", "pending"}});
        for (const json& approval : asked.at("approvals")) {
            if (approval.value("provenance", "") == "verified") return approval;
        }
        return json::object();
    }
};

constexpr const char* kGenuine = "Would you take 150 CNY for it?";

}  // namespace

TEST_CASE("R49: a flood of forgeries uses its own limit and affects no real sender") {
    Impersonated s;
    const std::string& alice_id = s.alice.agent_id;
    SUBCASE("with a key that nobody knows") {
        for (int i = 1; i <= 62; ++i)
            s.publish(s.with_own_key(s.in_name_of(s.alice, "I pay 9000 CNY " + std::to_string(i))));
    }
    SUBCASE("without a signature") {
        for (int i = 1; i <= 62; ++i) {
            s.publish(resigned(s.in_name_of(s.alice, "I pay 9000 CNY " + std::to_string(i)),
                               s.mallory.keys, false));
        }
    }
    s.received += 62;
    REQUIRE(s.settled(s.received));
    CHECK(s.explained("I pay 9000 CNY 62", alice_id).at("rule_id") == "guard.rate");
    s.hear(signed_message(s.alice, s.seller.agent_id, {.text = kGenuine}));
    const json explained = s.explained(kGenuine, alice_id);
    CHECK(explained.at("provenance") == "verified");
    CHECK(explained.at("decision") == "ask");
    CHECK(explained.at("basis").at("per_minute") == 2);
    const json question = s.verified_question();
    REQUIRE(question.contains("context"));
    const std::string context = question.at("context");
    CHECK(context.find("They: thanks") != std::string::npos);
    CHECK(context.find(kGenuine) != std::string::npos);
    CHECK_FALSE(tells_number(context, "9000"));
}

TEST_CASE("R49: an earlier forgery does not keep the genuine sender unverified") {
    Impersonated s;
    const platform::Account bob = s.market.register_agent("bob");
    s.hear(s.with_own_key(s.in_name_of(bob, "I pay 9000 CNY")));
    CHECK(s.message_with("I pay 9000 CNY", bob.agent_id).at("provenance") == "unverified");
    s.hear(signed_message(bob, s.seller.agent_id, {.text = kGenuine}));
    CHECK(s.message_with(kGenuine, bob.agent_id).at("provenance") == "verified");
}

TEST_CASE("R49: nobody vouches for a message without a signature beside a pinned key") {
    Impersonated s;
    const std::string text = "Would you take 1 CNY for it?";
    s.hear(resigned(s.in_name_of(s.alice, text), s.alice.keys, false));
    CHECK(s.message_with(text, s.alice.agent_id).at("provenance") == "unverified");
}

TEST_CASE("R49: forgeries do not hide the newer offer of the real sender") {
    Impersonated s;
    const auto offer = [&](const char* amount, const std::string& id) {
        const json payload{{"type", "offer"}, {"price", {{"amount", amount}, {"currency", "CNY"}}}};
        s.hear(signed_message(
            s.alice, s.seller.agent_id,
            {.text = {}, .message_id = id, .payload_json = wire::canonical_json(payload)}));
    };
    offer("300.00", "msg_1760000000000_00000001");
    offer("250.00", "msg_1760000000000_00000002");
    for (int i = 1; i <= 101; ++i)
        s.publish(s.with_own_key(s.in_name_of(s.alice, "Hello " + std::to_string(i))));
    s.received += 101;
    REQUIRE(s.settled(s.received));
    const json accept{{"target_agent_id", s.alice.agent_id},
                      {"extra_payload",
                       {{"type", "accept"}, {"offer_message_id", "msg_1760000000000_00000001"}}}};
    const json told = s.daemon.call_assistant("send", accept.dump());
    CAPTURE(told.dump());
    CHECK(told.at("ok") == false);
    CHECK(told.dump().find("msg_1760000000000_00000002") != std::string::npos);
}

TEST_CASE("R49: a message id belongs to its sender, even if a forger used it first") {
    Impersonated s;
    const std::string id = "msg_1760000000000_0badf00d";
    json forged = s.in_name_of(s.alice, "I pay 9000 CNY");
    forged["message_id"] = id;
    s.hear(s.with_own_key(forged));
    const std::string genuine =
        signed_message(s.alice, s.seller.agent_id, {.text = kGenuine, .message_id = id});
    s.hear(genuine);
    CHECK(s.counts().at("conflicts") == 0);
    const json kept = s.message_with(kGenuine, s.alice.agent_id);
    CHECK(kept.value("message_id", "") == id);
    CHECK(kept.value("provenance", "") == "verified");
    // Both are known now: neither comes a second time.
    s.publish(genuine);
    s.publish(s.with_own_key(forged));
    CHECK(eventually([&] { return s.counts().at("conflicts") == 1; }));
    CHECK(s.counts().at("received") == s.received);
}

TEST_CASE("R49: forged requests use up no places or ids of the real sender") {
    constexpr int kForged = 6;  // one more than a peer may have open
    Impersonated s;
    const auto of_type = [&](const char* type, const json& payload) {
        json envelope = s.in_name_of(s.alice, "");
        envelope["message_type"] = type;
        envelope["payload"] = payload;
        return envelope;
    };
    const auto open_questions = [&] {
        return s.data("approval.list", {{"status", "pending"}}).at("approvals");
    };
    SUBCASE("tasks") {
        const auto task = [&](const std::string& id, const std::string& objective) {
            return of_type("task_assignment", {{"task_id", id},
                                               {"task_brief",
                                                {{"objective", objective},
                                                 {"constraints", json::array()},
                                                 {"inputs", "i"},
                                                 {"outputs", "o"},
                                                 {"completion_criteria", "c"}}}});
        };
        for (int i = 0; i < kForged; ++i)
            s.hear(resigned(task("task_176000000000000" + std::to_string(i), "forged"),
                            s.mallory.keys, false));
        const std::size_t forged = open_questions().size();
        s.hear(resigned(task("task_1760000000000000", "genuine"), s.alice.keys));
        const json asked = open_questions();
        CHECK(asked.size() == forged + 1);
        CHECK(asked.dump().find("genuine") != std::string::npos);
    }
    SUBCASE("introductions") {
        const auto request = [&](const std::string& reason) {
            return of_type("introduction_request",
                           {{"reason", reason}, {"required_capability", "print"}});
        };
        json forged = request("forged");
        for (int i = 0; i < kForged; ++i) {
            forged["message_id"] = "msg_1760000000000_0000000" + std::to_string(i);
            s.hear(resigned(forged, s.mallory.keys, false));
        }
        json genuine = request("genuine");
        genuine["message_id"] = "msg_1760000000000_00000000";
        s.hear(resigned(genuine, s.alice.keys));
        const json known = s.data("introduction.list").at("items");
        CHECK(known.size() == 6);
        CHECK(known.dump().find("genuine") != std::string::npos);
    }
}
