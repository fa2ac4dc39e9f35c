// Words that end a conversation, and amounts in another currency: nothing may be drafted that would
// agree or offer.

#include <doctest/doctest.h>

#include <string>

#include "daemon/decide/explanation.h"
#include "daemon/decide/rules.h"
#include "tests/support/built_in_rules.h"
#include "tests/unit/decide/fixtures.h"

using namespace a2h;
using namespace a2h::decide;

namespace {

Decision ended(const Input& input) {
    return decide::decide(input, built_in_rules(), Limits{});
}

bool puts_to_human(const Decision& decision) {
    return decision.kind == Kind::Ask || decision.kind == Kind::NeedsDraft;
}

}  // namespace

TEST_CASE("words that end the conversation get no offer, no agreement and no holding reply") {
    for (const char* text :
         {"Forget it, I bought it elsewhere. No deal.", "No deal, sorry.", "The deal is off.",
          "I changed my mind, I found a cheaper one.", "Never mind, it is too expensive for us.",
          "算了，我在别家买了，不做了。", "不要了，别家更便宜", "太贵了，算了"}) {
        CAPTURE(text);
        const Decision decision = ended(input_with(text));
        CHECK(decision.takes_back);
        CHECK(decision.reply_text.empty());
        CHECK(decision.holding_text.empty());
        CHECK_FALSE(decision.is_plain_offer);
    }
}

TEST_CASE("endings in languages that the lists do not know are asked about without an offer") {
    for (const char* text : {"Vergiss es, ich habe es woanders gekauft. Kein Deal.",
                             "Olvídalo, lo compré en otro sitio. No hay trato.",
                             "Laissez tomber, je l'ai acheté ailleurs.",
                             "やめます。他で買いました。", "Забудьте, я купил в другом месте."}) {
        CAPTURE(text);
        const Decision decision = ended(input_with(text));
        CHECK(puts_to_human(decision));
        CHECK(decision.reply_text.empty());
        CHECK_FALSE(decision.is_plain_offer);
    }
}

TEST_CASE("a withdrawal is asked about if one of our last messages bound us") {
    for (const char* ours : {"How about 300.00 CNY?", "Agreed: 270.00 CNY."}) {
        for (const char* text : {"forget it", "Never mind then.", "No thanks.", "算了"}) {
            CAPTURE(ours);
            CAPTURE(text);
            Input input = input_with(text);
            input.recent = {sent_text(ours)};
            CHECK(puts_to_human(ended(input)));
            input.recent.insert(input.recent.begin(), sent_text("The price is 280 CNY."));
            CHECK(puts_to_human(ended(input)));
        }
    }
    CHECK(ended(input_with("forget it")).kind == Kind::Silent);
}

TEST_CASE("the basis of a decision says that the message takes something back") {
    const auto basis_of = [](const char* text) {
        const Input input = input_with(text);
        const Decision decision = ended(input);
        return nlohmann::json::parse(basis_json(input, decision, built_in_rules(), Limits{}));
    };
    CHECK(basis_of("forget it").at("takes_back") == true);
    CHECK_FALSE(basis_of("270 CNY?").contains("takes_back"));
}

TEST_CASE("an amount in another currency than the listing's is asked about without a draft") {
    for (const char* text :
         {"円250可以吗", "円250", "250円?", "$250 ok?", "Would you take 250 USD?", "€250",
          "250 HK$?", "£250 ok?", "Can you do it for 40 dollars?"}) {
        CAPTURE(text);
        const Decision decision = ended(input_with(text));
        REQUIRE(puts_to_human(decision));
        CHECK(decision.reply_text.empty());
        CHECK_FALSE(decision.is_plain_offer);
        const std::string written = decision.reject_text + decision.holding_text;
        CHECK(written.find("250") == std::string::npos);
    }
    for (const char* text : {"¥250", "￥250 ok?", "¥250可以吗", "￥250", "250￥?"}) {
        CAPTURE(text);
        const Decision decision = ended(input_with(text));
        CHECK(decision.is_plain_offer);
        CHECK(decision.reply_text.find("250.00 CNY") != std::string::npos);
    }
}

TEST_CASE("a yen sign is the currency of no listing in yen") {
    Input input = input_with("¥25000 ok?");
    for (Listing& listing : input.listings)
        listing.expected_price = "28000 JPY";
    const Decision decision = ended(input);
    REQUIRE(puts_to_human(decision));
    CHECK(decision.reply_text.empty());
}
