// Mail that arrives after later mail of the same sender: the market's history brings messages that
// a broker has lost. A review found that the older offer closed the question about the newer one,
// and that an offer repeated after its withdrawal got no answer.

#include <doctest/doctest.h>

#include <array>
#include <string>

#include "core/base/time_text.h"
#include "tests/integration/hostile/scene.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

namespace {

/// `text` of `sender`, signed as if it had been sent `seconds` ago.
std::string sent_before(const platform::Account& sender, const std::string& target_id,
                        const std::string& text, int seconds) {
    json envelope = envelope_from(sender, target_id);
    envelope["payload"]["text"] = text;
    envelope["timestamp"] = to_envelope_time(SystemClock().now_ms() - seconds * 1'000);
    return resigned(envelope, sender.keys);
}

json open_questions(Scene& scene) {
    return scene.data("approval.list", {{"status", "pending"}}).at("approvals");
}

}  // namespace

TEST_CASE("an older offer that comes late agrees to nothing and closes no newer question") {
    Scene scene;
    const platform::Account alice = scene.market.register_agent("alice");
    const auto says = [&](const std::string& text, int seconds) {
        scene.publish(sent_before(alice, scene.seller.agent_id, text, seconds));
    };
    SUBCASE("after a newer offer") {
        says("Sorry, I can only pay 100 CNY.", 0);
        REQUIRE(scene.settled(1));
        says("Would you do it for 250 CNY?", 60);
        REQUIRE(scene.settled(2));
        const json open = open_questions(scene);
        REQUIRE(open.size() == 2);
        for (const json& question : open)
            CHECK(question.dump().find("Agreed: 250") == std::string::npos);
        CHECK(open.dump().find("arrived late") != std::string::npos);
    }
    SUBCASE("after words that take it back") {
        says("Forget it, I bought it elsewhere. No deal.", 0);
        REQUIRE(scene.settled(1));
        says("Would you do it for 250 CNY?", 60);
        REQUIRE(scene.settled(2));
        const json open = open_questions(scene);
        CHECK(open.dump().find("Agreed: 250") == std::string::npos);
    }
    SUBCASE("and so do several such offers with other messages between them") {
        says("Sorry, I can only pay 100 CNY.", 0);
        REQUIRE(scene.settled(1));
        for (const int seconds : {90, 80, 70, 60, 50, 40, 30})
            says("Would you do it for " + std::to_string(200 + seconds) + " CNY?", seconds);
        REQUIRE(scene.settled(8));
        CHECK(open_questions(scene).dump().find("Agreed: 2") == std::string::npos);
    }
}

TEST_CASE("mail that waited overnight in order is decided as usual") {
    Scene scene;
    const platform::Account alice = scene.market.register_agent("alice");
    scene.publish(sent_before(alice, scene.seller.agent_id, "Would you do it for 240 CNY?", 3'600));
    REQUIRE(scene.settled(1));
    scene.publish(sent_before(alice, scene.seller.agent_id, "Would you do it for 250 CNY?", 3'500));
    REQUIRE(scene.settled(2));
    const json open = open_questions(scene);
    REQUIRE(open.size() == 1);
    CHECK(open[0].at("reply_text").get<std::string>().starts_with("Agreed: 250.00 CNY"));
}

TEST_CASE("an offer that is made again after it was taken back is asked about again") {
    Scene scene;
    const platform::Account alice = scene.market.register_agent("alice");
    int said = 0;
    const auto says = [&](const std::string& text) {
        scene.publish(sent_before(alice, scene.seller.agent_id, text, 0));
        REQUIRE(scene.settled(++said));
    };
    const std::string offer = "Would you take 250 CNY?";
    says(offer);
    const json first = open_questions(scene);
    REQUIRE(first.size() == 1);
    says(offer);
    REQUIRE(open_questions(scene).size() == 1);
    CHECK(open_questions(scene)[0]["approval_id"] == first[0]["approval_id"]);
    says("I take it back.");
    says(offer);
    const json open = open_questions(scene);
    REQUIRE(open.size() == 2);  // the other one is what to answer to the withdrawal
    const json& again = open[0].contains("amount") ? open[0] : open[1];
    CHECK(again["approval_id"] != first[0]["approval_id"]);
    CHECK(again["amount"] == "250.00 CNY");
}
