// Mail between two agents and their sessions: which offer an acceptance is of, and what it is
// about.

#include <doctest/doctest.h>

#include <string>

#include <nlohmann/json.hpp>

#include "market/exchange/mail.h"
#include "market/store/agent_store.h"
#include "market/store/session_store.h"
#include "tests/support/bare_market.h"

using namespace a2h;
using namespace a2h::market;
using nlohmann::json;

namespace {

constexpr std::string_view kAnn = "ag_ann";
constexpr std::string_view kBob = "ag_bob";

/// Ann and Bob, who have a session about nothing else.
struct Talk : a2h::test::BareMarket {
    std::string plain;
    MailProof proof = MailProof::Sure;

    Talk() {
        Agent bob;
        bob.agent_id = kBob;
        bob.name = "Bob";
        bob.agent_key = "key-of-bob";
        bob.public_key = "pk2";
        REQUIRE(database->write_with(store::add_agent, bob));
        plain = post("/v1/sessions", {{"agent_id", kBob}})["session_id"];
    }

    json post(const std::string& target, const json& body) {
        const auto response = send("POST", target, body.dump());
        REQUIRE_MESSAGE(response.status / 100 == 2, response.body);
        return json::parse(response.body)["data"];
    }
    json get(const std::string& target) {
        const auto response = send("GET", target);
        REQUIRE_MESSAGE(response.status == 200, response.body);
        return json::parse(response.body)["data"];
    }
    void mail(std::string_view from, const std::string& id, const json& payload) {
        const json envelope{{"sender_id", from},
                            {"target_id", from == kAnn ? kBob : kAnn},
                            {"message_id", id},
                            {"payload_hash", "hash of " + id},
                            {"payload", payload}};
        REQUIRE(take_mail(*database, envelope.dump(), proof, clock.now_ms()));
    }
    void offer(std::string_view from, const std::string& id, int amount, json besides = {}) {
        json payload{{"type", "offer"}, {"price", {{"currency", "CNY"}, {"amount", amount}}}};
        if (besides.is_object()) payload.update(besides);
        mail(from, id, payload);
    }
    void accept(std::string_view from, const std::string& id, const std::string& offer_id,
                json besides = {}) {
        json payload{{"type", "accept"}, {"offer_message_id", offer_id}};
        if (besides.is_object()) payload.update(besides);
        mail(from, id, payload);
    }
    json deals() { return get("/v1/deals")["items"]; }
    std::string state_of(const std::string& offer_id) {
        const json offers = get("/v1/sessions/" + plain + "/offers");
        for (const json& each : offers["items"])
            if (each["message_id"] == offer_id) return each["state"];
        return "unknown";
    }
};

}  // namespace

TEST_CASE("R74: a message that its receiver counts as unverified has no effect in a session") {
    Talk talk;
    talk.offer(kBob, "msg_1", 1);
    talk.offer(kAnn, "msg_2", 2);
    talk.proof = MailProof::AgentKeyOnly;
    talk.accept(kBob, "msg_3", "msg_2");
    CHECK(talk.deals().empty());
    talk.offer(kBob, "msg_4", 3, {{"replaces", "msg_1"}});
    CHECK(talk.state_of("msg_1") == "open");
    CHECK(talk.state_of("msg_4") == "unknown");
    talk.proof = MailProof::Sure;
    talk.accept(kBob, "msg_5", "msg_2");
    CHECK(talk.deals().size() == 1);
}

TEST_CASE("R26: an acceptance counts only for the offer whose hash it names") {
    Talk talk;
    talk.offer(kBob, "msg_1", 1);
    // Another message of Bob's has the same id, and Ann has seen that one.
    talk.accept(kAnn, "msg_2", "msg_1", {{"offer_payload_hash", "hash of another"}});
    CHECK(talk.deals().empty());
    talk.accept(kAnn, "msg_3", "msg_1", {{"offer_payload_hash", "hash of msg_1"}});
    CHECK(talk.deals().size() == 1);
}

TEST_CASE("R26: an offer over HTTP is not the mail that has its id") {
    Talk talk;
    const std::string id = talk.post(
        "/v1/sessions/" + talk.plain + "/messages",
        {{"payload",
          {{"type", "offer"}, {"price", {{"currency", "CNY"}, {"amount", 1}}}}}})["message_id"];
    talk.offer(kAnn, id, 270);
    talk.accept(kBob, "msg_2", id, {{"offer_payload_hash", "hash of " + id}});
    CHECK(talk.deals().empty());
}

TEST_CASE("mail joins no session about an RFP that it does not name") {
    Talk talk;
    const std::string rfp = talk.post("/v1/rfps", {{"title", "Build my house"},
                                                   {"description", "by tomorrow"},
                                                   {"capability_type", "violin"}})["rfp_id"];
    talk.clock.advance(std::chrono::seconds(1));
    const Session about{.session_id = "ses_rfp",
                        .first_id = std::string(kAnn),
                        .second_id = std::string(kBob),
                        .rfp_id = rfp,
                        .created_at_ms = talk.clock.now_ms()};
    REQUIRE(talk.database->write_with(store::add_session, about));
    SUBCASE("an offer is in the session about nothing else") {
        talk.offer(kBob, "msg_1", 280);
        talk.accept(kAnn, "msg_2", "msg_1");
        REQUIRE(talk.deals().size() == 1);
        CHECK_FALSE(talk.deals()[0].contains("rfp_id"));
        CHECK(talk.deals()[0]["session_id"] == talk.plain);
    }
    SUBCASE("an acceptance must name the session of the offer") {
        talk.offer(kBob, "msg_1", 280, {{"session_id", "ses_rfp"}});
        talk.accept(kAnn, "msg_2", "msg_1");
        CHECK(talk.deals().empty());
        talk.accept(kAnn, "msg_3", "msg_1", {{"session_id", "ses_rfp"}});
        REQUIRE(talk.deals().size() == 1);
        CHECK(talk.deals()[0]["rfp_id"] == rfp);
    }
}

TEST_CASE("a chain of offers that replace each other makes one deal") {
    Talk talk;
    talk.offer(kBob, "msg_1", 300);
    SUBCASE("an offer ends the one that it replaces") {
        talk.offer(kBob, "msg_2", 260, {{"replaces", "msg_1"}});
        CHECK(talk.state_of("msg_1") == "replaced");
        talk.accept(kAnn, "msg_3", "msg_1");
        CHECK(talk.deals().empty());
        talk.accept(kAnn, "msg_4", "msg_2");
        CHECK(talk.deals().size() == 1);
    }
    SUBCASE("an offer in place of an accepted one does not stand") {
        talk.accept(kAnn, "msg_2", "msg_1");
        talk.offer(kBob, "msg_3", 260, {{"replaces", "msg_1"}});
        talk.accept(kAnn, "msg_4", "msg_3");
        CHECK(talk.deals().size() == 1);
    }
    SUBCASE("an acceptance ends the offer that it replaces") {
        talk.offer(kAnn, "msg_2", 290);
        talk.accept(kBob, "msg_3", "msg_2", {{"replaces", "msg_1"}});
        talk.accept(kAnn, "msg_4", "msg_1");
        CHECK(talk.deals().size() == 1);
        CHECK(talk.state_of("msg_1") == "replaced");
    }
    SUBCASE("an acceptance in place of an accepted offer comes too late") {
        talk.offer(kAnn, "msg_2", 290);
        talk.accept(kAnn, "msg_3", "msg_1");
        talk.accept(kBob, "msg_4", "msg_2", {{"replaces", "msg_1"}});
        CHECK(talk.deals().size() == 1);
    }
    SUBCASE("an offer is replaced by one other offer") {
        talk.offer(kBob, "msg_2", 260, {{"replaces", "msg_1"}});
        talk.offer(kBob, "msg_3", 240, {{"replaces", "msg_1"}});
        talk.accept(kAnn, "msg_4", "msg_2");
        talk.accept(kAnn, "msg_5", "msg_3");
        CHECK(talk.deals().size() == 1);
    }
    SUBCASE("words can take an offer back") {
        talk.mail(kBob, "msg_2", {{"text", "It is sold."}, {"replaces", "msg_1"}});
        CHECK(talk.state_of("msg_1") == "replaced");
    }
    SUBCASE("nobody replaces another's offer") {
        talk.offer(kAnn, "msg_2", 250, {{"replaces", "msg_1"}});
        CHECK(talk.state_of("msg_1") == "open");
    }
}

TEST_CASE("a field that a type does not have in sessions is left out") {
    Talk talk;
    talk.offer(kBob, "msg_1", 280, {{"note", "with an album"}, {"worksId", "WKS1"}});
    CHECK(talk.state_of("msg_1") == "open");
}
