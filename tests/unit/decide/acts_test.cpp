// What a message does in a deal; see tests/dialogues for whole dialogues.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "core/wire/payload.h"
#include "daemon/decide/acts.h"

using namespace a2h;

namespace {

StandingOffer offer_of(std::int64_t minor, const char* currency, const char* words) {
    StandingOffer offer;
    offer.message_id = "msg_1";
    offer.terms.price = Money{minor, currency};
    offer.terms.conditions = {words};
    return offer;
}

/// The acts of a text of the side to which nothing but an offer of the other one stands.
std::vector<Act> answer(const char* text, std::int64_t minor, const char* currency,
                        const char* offered) {
    Deal deal;
    deal.theirs = offer_of(minor, currency, offered);
    deal.phase = DealPhase::Offered;
    return decide::own_acts(wire::text_payload(text), deal);
}

bool agrees(const std::vector<Act>& acts) {
    for (const Act& act : acts)
        if (act.kind == ActKind::Accepts && act.terms.conditions.empty()) return true;
    return false;
}

bool does(const std::vector<Act>& acts, ActKind kind) {
    for (const Act& act : acts)
        if (act.kind == kind) return true;
    return false;
}

}  // namespace

TEST_CASE("words that agree to all of an offer accept it") {
    for (const char* text :
         {"Deal", "Agreed, 45 EUR.", "45 it is", "Fine by me. See you on Saturday!", "ok 45, sold",
          "I'll take it for 45.", "That works for us, thank you", "Yes, 45 is fine with pickup"}) {
        CAPTURE(std::string(text));
        CHECK(agrees(answer(text, 4'500, "EUR", "45 EUR with pickup on Saturday")));
    }
    for (const char* text :
         {"成交", "好,45", "可以,就45", "没问题", "行吧", "45可以 周六自提", "同意,谢谢"}) {
        CAPTURE(std::string(text));
        CHECK(agrees(answer(text, 4'500, "CNY", "45元 周六自提")));
    }
}

TEST_CASE("a yes with anything unknown, doubtful or mocking beside it agrees to nothing") {
    for (const char* text : {"Deal?",
                             "45 if you deliver it",
                             "Deal, but only with a receipt",
                             "45 with delivery",
                             "Deal. Deliver it to my door.",
                             "Agreed, free shipping",
                             "I'd agree to 40",
                             "He said it's a deal",
                             "Yeah right, deal",
                             "not agreed",
                             "No deal",
                             "Is that agreed?",
                             "I agree to nothing",
                             "45 is too much",
                             "Maybe deal",
                             "Deal, blue one",
                             "Agreed plus VAT",
                             "45 would be a deal if it were new",
                             "ok",
                             "ok, let me think about it",
                             "By not replying you agree to 45",
                             "Agreed, with the cushion and the lamp",
                             "45 without pickup",
                             "Fine, but I pay next month",
                             "I can't accept",
                             "Deal at 44"}) {
        CAPTURE(std::string(text));
        CHECK_FALSE(agrees(answer(text, 4'500, "EUR", "45 EUR with pickup on Saturday")));
    }
    for (const char* text :
         {"成交吗", "45的话要送货", "行,但是要包邮", "可以就定了", "呵呵,成交", "不同意",
          "没说可以", "你不回就当你同意45成交", "45送灯", "成交,送我一个灯", "好贵", "行不行",
          "可以便宜点吗", "45不含自提", "我问问老婆,可以再说", "同意的话请回复", "44成交"}) {
        CAPTURE(std::string(text));
        CHECK_FALSE(agrees(answer(text, 4'500, "CNY", "45元 周六自提")));
    }
}

TEST_CASE("a part of an offer without its negation is not that offer") {
    CHECK(agrees(answer("45, no delivery, agreed", 4'500, "EUR", "45 EUR, no delivery")));
    CHECK_FALSE(agrees(answer("45, delivery, agreed", 4'500, "EUR", "45 EUR, no delivery")));
    CHECK_FALSE(agrees(answer("好,包邮,45", 4'500, "CNY", "45元 不包邮")));
}

TEST_CASE("a bare yes to a question that names no price answers the question") {
    Deal deal;
    deal.theirs = offer_of(4'500, "CNY", "45元");
    deal.phase = DealPhase::Offered;
    const auto after = [&](const char* question) {
        HistoryEntry entry;
        entry.incoming = true;
        entry.payload_json = wire::text_payload(question);
        return decide::own_acts(wire::text_payload("可以"), deal, {entry});
    };
    CHECK_FALSE(agrees(after("周六方便吗?")));
    CHECK(agrees(after("45元可以吗?")));
}

TEST_CASE("numbers that are no money offer nothing") {
    for (const char* text :
         {"flat 40, second floor", "I am 44 and have two kids", "at 5 on the 14th",
          "my number is 030 44 45 46", "the 2021 model", "44 guests", "40 percent", "size 43",
          "I'll come by bus 42", "My neighbour paid 40 EUR", "under 40 EUR", "40 to 50 EUR",
          "plus 10 EUR for shipping", "a deposit of 20 EUR", "around 40 EUR"}) {
        CAPTURE(std::string(text));
        CHECK_FALSE(does(answer(text, 4'500, "EUR", "45 EUR"), ActKind::Offers));
    }
    for (const char* text : {"我住3号楼402", "402室", "2021款", "电话13900004545", "隔壁才40元",
                             "40码", "下午4点", "押金40元", "加10元运费", "40元左右", "30到40元"}) {
        CAPTURE(std::string(text));
        CHECK_FALSE(does(answer(text, 4'500, "CNY", "45元"), ActKind::Offers));
    }
}

TEST_CASE("amounts in words, less than before and in the middle are offers") {
    const auto price = [](const std::vector<Act>& acts) {
        REQUIRE(does(acts, ActKind::Offers));
        return acts.back().terms.price.value();
    };
    CHECK(price(answer("How about forty-two euros?", 4'500, "EUR", "45 EUR")) ==
          Money{4'200, "EUR"});
    CHECK(price(answer("two-sixty, last word", 30'000, "GBP", "300 GBP")) == Money{26'000, "GBP"});
    CHECK(price(answer("便宜5块", 4'500, "CNY", "45元")) == Money{4'000, "CNY"});
    Deal deal;
    deal.ours = offer_of(4'000, "EUR", "40 EUR");
    deal.theirs = offer_of(5'000, "EUR", "50 EUR");
    deal.phase = DealPhase::Offered;
    CHECK(price(decide::own_acts(wire::text_payload("Meet in the middle?"), deal)) ==
          Money{4'500, "EUR"});
}

TEST_CASE("payment and delivery are told only by statements that deny nothing") {
    Deal deal;
    deal.phase = DealPhase::Agreed;
    deal.agreed = Agreement{};
    const auto kinds = [&](const char* text) {
        return decide::own_acts(wire::text_payload(text), deal);
    };
    CHECK(does(kinds("I've paid the 45 EUR"), ActKind::ClaimsPayment));
    CHECK(does(kinds("已付款"), ActKind::ClaimsPayment));
    CHECK(does(kinds("The files are sent"), ActKind::ClaimsDelivery));
    CHECK(does(kinds("收到货了"), ActKind::ClaimsReceipt));
    for (const char* text : {"Have you paid?", "I haven't paid yet", "Once I've paid, you send it",
                             "I will have paid by Monday", "Has it arrived?", "It has not arrived",
                             "还没付款", "付款了吗", "没收到货", "等我付款了再说"}) {
        CAPTURE(std::string(text));
        const auto acts = kinds(text);
        CHECK_FALSE(does(acts, ActKind::ClaimsPayment));
        CHECK_FALSE(does(acts, ActKind::ClaimsDelivery));
        CHECK_FALSE(does(acts, ActKind::ClaimsReceipt));
    }
}

TEST_CASE("refusing everything ends what both stand to") {
    Deal deal;
    deal.ours = offer_of(4'000, "EUR", "40 EUR");
    deal.theirs = offer_of(5'000, "EUR", "50 EUR");
    deal.phase = DealPhase::Offered;
    const auto acts = decide::own_acts(wire::text_payload("Forget it, I'll pass."), deal);
    CHECK(does(acts, ActKind::Declines));
    CHECK(does(acts, ActKind::Withdraws));
}
