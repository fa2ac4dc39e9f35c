// Offers that are withdrawn and made again while a mandate haggles. An examiner found that such
// an offer got no answer and was not put to the owner.

#include <doctest/doctest.h>

#include <string>

#include "tests/integration/hostile/haggling_seller.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

namespace {

json open_questions(Scene& scene) {
    return scene.data("approval.list", {{"status", "pending"}}).at("approvals");
}

}  // namespace

TEST_CASE("a repeated offer after withdrawal is asked about, also where a mandate answered it") {
    HagglingSeller s;
    std::string withdrawal;
    SUBCASE("in plain words") {
        withdrawal = "forget it";
    }
    SUBCASE("as a refusal") {
        withdrawal = "No thanks.";
    }
    SUBCASE("with a reason") {
        withdrawal = "Forget it, I bought it elsewhere. No deal.";
    }
    SUBCASE("in Chinese") {
        withdrawal = "算了，不要了";
    }
    CAPTURE(withdrawal);
    const json offer{{"text", "270 CNY?"}};
    s.say(offer);
    REQUIRE(s.prices() == json::array({"300.00"}));
    s.say({{"text", withdrawal}});
    s.say(offer);
    CHECK(s.prices() == json::array({"300.00"}));
    const json open = open_questions(s);
    REQUIRE_FALSE(open.empty());
    CHECK(open.dump().find("270.00 CNY") != std::string::npos);
}

TEST_CASE("an offer to which a peer goes back is answered, also where a mandate answered it") {
    HagglingSeller s;
    s.say({{"text", "270 CNY?"}});
    s.say({{"text", "260 CNY?"}});
    REQUIRE(s.prices().size() == 2);
    s.say({{"text", "270 CNY?"}});
    CHECK(s.prices().size() == 3);
}

TEST_CASE("a peer that insists on its offer hears ours again, until the rounds are over") {
    HagglingSeller s;
    for (int i = 0; i < 8; ++i)
        s.say({{"text", "240 CNY?"}});
    CHECK(s.prices() == json::array({"300.00", "300.00", "300.00", "300.00"}));
    CHECK(s.answers().size() == 5);  // the last one closes the bargain
}

TEST_CASE("a message that ends the talk is not answered with an offer") {
    for (const char* text :
         {"Forget it, I bought it elsewhere. No deal.", "算了，我在别家买了，不做了。",
          "Vergiss es, ich habe es woanders gekauft. Kein Deal.",
          "Olvídalo, lo compré en otro sitio. No hay trato.",
          "Laissez tomber, je l'ai acheté ailleurs."}) {
        CAPTURE(text);
        HagglingSeller s;
        s.say({{"text", "270 CNY?"}});
        REQUIRE(s.prices() == json::array({"300.00"}));
        s.say({{"text", text}});
        CHECK(s.prices() == json::array({"300.00"}));
        for (const json& question : open_questions(s))
            CHECK(question.at("reply_text") == "");
    }
}
