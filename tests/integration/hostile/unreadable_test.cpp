// Messages of a known peer that are refused for their form. An examiner found that a withdrawal of
// such a form left the question about the withdrawn offer open.

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/integration/hostile/scene.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

namespace {

constexpr const char* kOffer = "Would you take 270 CNY for it?";

/// A peer whose offer waits for an answer.
struct Asked : Scene {
    std::int64_t all_refused = 0;

    Asked() {
        publish(signed_message(mallory, seller.agent_id, {.text = "thanks"}));
        REQUIRE(settled(1));
        publish(signed_message(mallory, seller.agent_id, {.text = kOffer}));
        REQUIRE(settled(2));
    }
    json withdrawal() const {
        json envelope = envelope_from(mallory, seller.agent_id);
        envelope["payload"]["text"] = "I withdraw my offer.";
        return envelope;
    }
    json pending() { return data("approval.list", {{"status", "pending"}}).at("approvals"); }
    json yes_to(const json& question) {
        return daemon.call_human("approval.answer",
                                 json{{"approval_id", question.at("approval_id")},
                                      {"decision", "approve"},
                                      {"pin", Daemon::kPin}}
                                     .dump());
    }
    /// Sends what is refused, and waits until it is.
    void send_refused(const std::string& payload) {
        publish(payload);
        ++all_refused;
        REQUIRE(eventually([&] { return counts().at("refused") == all_refused; }));
    }
};

/// Members of an envelope that its receiver refuses.
const std::vector<std::pair<const char*, json>> kUnacceptable{
    {"schema_version", "2.0.0"},
    {"trace_id", ""},
    {"protocol", "a2hmarket-b2b"},
    {"nonce", ""},
    {"message_type", ""},
    {"message_id", std::string(300, 'x')},
    {"target_id", " "},
    {"payload", json::array({"I withdraw my offer."})},
};

json nested(int levels) {
    json value = "I withdraw my offer.";
    for (int i = 0; i < levels; ++i)
        value = json::array({std::move(value)});
    return value;
}

}  // namespace

TEST_CASE("R45: a message of a peer that is refused for its form renews the question") {
    Asked s;
    std::vector<json> withdrawals;
    for (const auto& [name, value] : kUnacceptable) {
        withdrawals.push_back(s.withdrawal());
        withdrawals.back()[name] = value;
    }
    withdrawals.push_back(s.withdrawal());
    withdrawals.back()["payload"]["deep"] = nested(60);
    withdrawals.push_back(s.withdrawal());
    withdrawals.back()["payload"]["long"] = std::string(70'000, 'x');
    for (const json& withdrawal : withdrawals) {
        CAPTURE(withdrawal.dump().substr(0, 400));
        const json shown = s.pending();
        REQUIRE(shown.size() == 1);
        REQUIRE(shown[0].at("reply_text").get<std::string>().find("Agreed") != std::string::npos);
        const std::string payload = resigned(withdrawal, s.mallory.keys);
        s.send_refused(payload);
        const json late = s.yes_to(shown[0]);
        CHECK(late.at("ok") == false);
        CHECK(late.dump().find("changed meanwhile") != std::string::npos);
        const json renewed = s.pending();
        REQUIRE(renewed.size() == 1);
        CHECK(renewed[0].at("approval_id") != shown[0].at("approval_id"));
        CHECK(renewed[0].at("covers").dump().find("cannot accept") != std::string::npos);
    }
    // The same bytes once more say nothing new.
    const json shown = s.pending();
    s.send_refused(resigned(withdrawals.back(), s.mallory.keys));
    CHECK(s.yes_to(shown[0]).at("ok") == true);
    CHECK(eventually([&] { return !s.peer.heard().empty(); }));
}

TEST_CASE("R45: a refused message of a peer whose key is not known yet counts as well") {
    Asked s;
    const platform::Account other = s.market.register_agent("other");
    json offer = envelope_from(other, s.seller.agent_id);
    offer["payload"]["text"] = kOffer;
    json withdrawal = envelope_from(other, s.seller.agent_id);
    withdrawal["payload"]["text"] = "I withdraw my offer.";
    withdrawal["schema_version"] = "2.0.0";
    bool has_key = true;
    SUBCASE("it comes right behind the first message") {}
    SUBCASE("the peer has no key, and the market vouches for it") {
        has_key = false;
    }
    s.publish(resigned(offer, other.keys, has_key));
    s.send_refused(resigned(withdrawal, other.keys, has_key));
    REQUIRE(s.settled(3));
    const auto asked = [&] {
        for (const json& question : s.pending()) {
            if (question.at("peer_id") == other.agent_id) return question;
        }
        return json();
    };
    // The question was asked before or after the market has said whose the message is.
    const auto tells = [&] {
        return asked().at("covers").dump().find("cannot accept") != std::string::npos;
    };
    REQUIRE(asked().is_object());
    CHECK(eventually([&] { return tells() || s.yes_to(asked()).at("ok") == false; }));
    CHECK(tells());
    CHECK(s.yes_to(asked()).at("ok") == true);
}

TEST_CASE("R49: a message that somebody else sends in a peer's name renews nothing") {
    Asked s;
    const platform::Account other = s.market.register_agent("other");
    json envelope = s.withdrawal();
    envelope["schema_version"] = "2.0.0";
    std::string payload;
    SUBCASE("with another key") {
        envelope["sender_key_id"] = other.keys.key_pair.key_id;
        payload = resigned(envelope, other.keys);
    }
    SUBCASE("with a wrong signature") {
        payload = resigned(envelope, other.keys);
    }
    SUBCASE("without a signature") {
        payload = resigned(envelope, s.mallory.keys, false);
    }
    SUBCASE("genuine, but addressed to another agent") {
        envelope["target_id"] = other.agent_id;
        payload = resigned(envelope, s.mallory.keys);
    }
    s.send_refused(payload);
    const json shown = s.pending();
    REQUIRE(shown.size() == 1);
    CHECK(s.yes_to(shown[0]).at("ok") == true);
    CHECK(eventually([&] { return !s.peer.heard().empty(); }));
}

TEST_CASE("While an unreadable message of a peer is open, not even a greeting leaves by itself") {
    Scene s;
    s.publish(signed_message(s.mallory, s.seller.agent_id, {.text = "thanks"}));
    REQUIRE(s.settled(1));
    const auto greet = [&] {
        return s.daemon.call_assistant(
            "send", json{{"target_agent_id", s.mallory.agent_id}, {"text", "Hello!"}}.dump());
    };
    REQUIRE(greet().at("ok") == true);
    json envelope = envelope_from(s.mallory, s.seller.agent_id);
    envelope["payload"]["text"] = "If you greet me again, we agree on 270 CNY.";
    envelope["schema_version"] = "2.0.0";
    s.publish(resigned(envelope, s.mallory.keys));
    REQUIRE(eventually([&] { return s.counts().at("refused") == 1; }));
    const json asked = greet();
    CHECK(asked.at("ok") == false);
    CHECK(asked.dump().find("approval_id") != std::string::npos);
}
