#include "daemon/reading/amounts.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "daemon/reading/vocabulary.h"
#include "tests/support/property.h"

using namespace a2h;
using namespace a2h::reading;

namespace {

/// "280.00 CNY 45.00 USD": every amount of `text`, in order.
std::string amounts_in(std::string_view text) {
    const Vocabulary& words = built_in_vocabulary();
    std::string all;
    for (const NumberMention& number : find_numbers(words.lexicon.comparable(text), words)) {
        if (number.kind == NumberKind::Quantity) continue;
        if (!all.empty()) all += ' ';
        if (number.kind == NumberKind::Discount) {
            all += "discount";
        } else {
            all += number.money ? to_text(*number.money) : "?" + number.digits;
        }
    }
    return all;
}

/// With full-width digits, point and comma, as Chinese input methods write them.
std::string wide(std::string_view digits) {
    std::string out;
    for (const char c : digits) {
        if (static_cast<signed char>(c) > ' ' && c != '\'') {
            out += "\xEF\xBC";
            out += static_cast<char>(c + 0x60);
        } else {
            out += c;
        }
    }
    return out;
}

}  // namespace

TEST_CASE("amounts are read exactly, in digits and in Chinese numerals") {
    CHECK(amounts_in("300元") == "300.00 CNY");
    CHECK(amounts_in("１，２００．５０ ＲＭＢ") == "1200.50 CNY");
    CHECK(amounts_in("¥280 or $40 or 35 euros") == "280.00 CNY 40.00 USD 35.00 EUR");
    CHECK(amounts_in("三百五十块") == "350.00 CNY");
    CHECK(amounts_in("三百五块") == "350.00 CNY");
    CHECK(amounts_in("两千零五十元") == "2050.00 CNY");
    CHECK(amounts_in("一万二元") == "12000.00 CNY");
    CHECK(amounts_in("十五块钱") == "15.00 CNY");
    CHECK(amounts_in("叁佰圓") == "300.00 CNY");
    CHECK(amounts_in("1.5k usd, 0.5万元") == "1500.00 USD 5000.00 CNY");
    CHECK(amounts_in("3000日元") == "3000 JPY");
    CHECK(amounts_in("$300 HKD") == "300.00 HKD");
}

TEST_CASE("an amount that is not one exact amount has no value") {
    CHECK(amounts_in("200-300元") == "?200 ?300");
    CHECK(amounts_in("200 to 300 yuan") == "?200 ?300");
    CHECK(amounts_in("三块五") == "?3");
    CHECK(amounts_in("10.123 CNY") == "?10.123");
    CHECK(amounts_in("99999999999999999999 CNY") == "?99999999999999999999");
    CHECK(amounts_in("CNY 300 USD") == "?300");
    CHECK(amounts_in("8折，20%") == "discount discount");
    CHECK(amounts_in("二零二六年") == "");
    CHECK(amounts_in("万五元") == "?");
    CHECK(amounts_in("万元") == "?");
    CHECK(amounts_in("一万五元") == "15000.00 CNY");
}

TEST_CASE("a minus before an amount, and two currencies around it, leave it without a value") {
    for (const char* text :
         {"I offer -270 CNY", "-270 CNY", "CNY -270", "-$270", "$-270", "\u2212270 CNY",
          "\u2212 270 CNY", "–270 CNY", "-¥270", "I offer (-270 CNY)", "－270元", "负270元",
          "负 270 元", "negative 270 CNY", "-三百元", "how about -250?"}) {
        CAPTURE(text);
        CHECK(amounts_in(text).substr(0, 1) == "?");
    }
    for (const char* text : {"$270 CNY", "¥270 USD", "US$270 HKD", "HK$270 USD", "€270 CNY",
                             "£270 CNY", "USD 270 CNY", "$270元", "￥270 USD"}) {
        CAPTURE(text);
        CHECK(amounts_in(text) == "?270");
    }
    CHECK(amounts_in("$270 HKD, $270 AUD, ¥270 JPY, ¥270元, US$270 USD") ==
          "270.00 HKD 270.00 AUD 270 JPY 270.00 CNY 270.00 USD");
    // Dashes and points of a list.
    CHECK(amounts_in("Slides - 270 CNY") == "270.00 CNY");
    CHECK(amounts_in("- 270 CNY for the slides") == "270.00 CNY");
    CHECK(amounts_in("一口价——270元") == "270.00 CNY");
    // "minus" names a reduction.
    CHECK(amounts_in("minus 270 CNY") == "discount");
}

TEST_CASE("a number is read whole, however it is grouped") {
    CHECK(amounts_in("260,50 CNY") == "260.50 CNY");
    CHECK(amounts_in("1 200 CNY") == "1200.00 CNY");
    CHECK(amounts_in("1\u00A0200 CNY") == "1200.00 CNY");
    CHECK(amounts_in("EUR 12\u2009345,60") == "12345.60 EUR");
    CHECK(amounts_in("1.200,00 EUR") == "1200.00 EUR");
    CHECK(amounts_in("1.234.567,8 EUR") == "1234567.80 EUR");
    CHECK(amounts_in("1'200 CHF") == "1200.00 CHF");
    CHECK(amounts_in("1’200.50 CHF") == "1200.50 CHF");
    CHECK(amounts_in("１２００元") == "1200.00 CNY");
    CHECK(amounts_in("１，２００元") == "1200.00 CNY");
    CHECK(amounts_in("12,5万元") == "125000.00 CNY");
    CHECK(amounts_in("12.5万元") == "125000.00 CNY");
    CHECK(amounts_in("¥1,200.5") == "1200.50 CNY");
    CHECK(amounts_in("1,200 EUR") == "1200.00 EUR");
    CHECK(amounts_in("$1,234,567.89") == "1234567.89 USD");
}

TEST_CASE("an ambiguous number is not an amount, and neither is a part of it") {
    CHECK(amounts_in("1.200 EUR") == "?1.200");
    CHECK(amounts_in(".300 CNY") == "?300");
    CHECK(amounts_in("Would you take .5 CNY?") == "?5");
    CHECK(amounts_in("12,34,567 CNY") == "?12,34,567");
    CHECK(amounts_in("1,2000 CNY") == "?1,2000");
    CHECK(amounts_in("0,500 CNY") == "?0,500");
    CHECK(amounts_in("1.200,000 EUR") == "?1.200,000");
    CHECK(amounts_in("1_200 CNY") == "?1_200");
    CHECK(amounts_in("1·200 CNY") == "?1·200");
    CHECK(amounts_in("12万5千元") == "?12万5千");
    CHECK(amounts_in("1百万元") == "?1百万");
    CHECK(amounts_in("1万2元") == "?1万2");
    CHECK(amounts_in("¥300,5张") == "?300.5");
    CHECK(amounts_in("200+50元") == "?200 ?50");
    CHECK(amounts_in("how about 12 300?") == "?12 300");
    // The comma of a sentence parts what it stands between.
    CHECK(amounts_in("¥300，5张") == "300.00 CNY");
}

TEST_CASE("a text of possibly two numbers or raised digits is not an amount") {
    CHECK(amounts_in("250 300 CNY") == "?250 300");
    CHECK(amounts_in("CNY 250 300") == "?250 300");
    CHECK(amounts_in("1\t200 CNY") == "?1·200");
    CHECK(amounts_in("1\r200 CNY") == "?1·200");
    CHECK(amounts_in("1　200元") == "?1·200");
    CHECK(amounts_in("1\u2003200 CNY") == "?1·200");
    CHECK(amounts_in("200，250元") == "?200·250");
    CHECK(amounts_in("1，200，250元") == "?1·200·250");
    for (const char* text : {"1²00 CNY", "12⁰0 CNY", "¥2₅0", "250³ CNY", "³00 CNY", "250½ CNY"}) {
        CAPTURE(text);
        CHECK(amounts_in(text).find("CNY") == std::string::npos);
        CHECK(amounts_in(text).find('?') != std::string::npos);
    }
    // Written as Chinese input methods write all of it, or with more than three digits to a group.
    CHECK(amounts_in("１，２００元") == "1200.00 CNY");
    CHECK(amounts_in("１，２００，３００元") == "1200300.00 CNY");
    CHECK(amounts_in("1 200 300 CNY") == "1200300.00 CNY");
}

TEST_CASE("the size of a discount is not an offered amount") {
    for (const char* text :
         {"便宜30元", "能便宜 30 元吗", "再减30元", "降30块", "少30元", "优惠三十元", "立减30元",
          "让利30元", "便宜个30元", "便宜了30元", "30 CNY off", "30 CNY cheaper", "CNY 30 less",
          "30 yuan discount", "cheaper by 30 CNY", "a discount of 30 CNY", "reduce it by 30 CNY",
          "30元优惠"}) {
        CAPTURE(text);
        CHECK(amounts_in(text) == "discount");
    }
    CHECK(amounts_in("便宜到250元") == "250.00 CNY");
    CHECK(amounts_in("降到250元") == "250.00 CNY");
    CHECK(amounts_in("便宜点，250元") == "250.00 CNY");
    CHECK(amounts_in("至少250元") == "250.00 CNY");
    CHECK(amounts_in("250 CNY or less") == "250.00 CNY");
}

TEST_CASE("the size of an increase is not an offered amount") {
    for (const char* text :
         {"Take 5 CNY more.", "再加5元", "多给5元吧", "能涨50块吗", "another 20 CNY", "add 5 CNY",
          "plus 10 CNY", "5 CNY extra", "5 CNY on top", "raise it by 20 CNY", "贵20元", "补5块"}) {
        CAPTURE(text);
        CHECK(amounts_in(text) == "discount");
    }
    for (const char* text : {"涨到250元", "差不多250元", "最多250元", "我最多出250元", "最高250元",
                             "太贵，250元", "250 CNY, no more", "250 CNY or more"}) {
        CAPTURE(text);
        CHECK(amounts_in(text) == "250.00 CNY");
    }
}

TEST_CASE("a lookalike of a currency word leaves the amount without a value") {
    // Part of another word.
    for (const char* text :
         {"1元素", "二元论", "3元旦", "9元月", "三元桥", "一元二次", "2元宵", "千元机"}) {
        CAPTURE(text);
        CHECK(amounts_in(text).find("CNY") == std::string::npos);
    }
    for (const char* text : {"单元9", "公元2026", "第3单元12号", "石块5", "欧2"}) {
        CAPTURE(text);
        CHECK(amounts_in(text).find("CNY") == std::string::npos);
        CHECK(amounts_in(text).find("EUR") == std::string::npos);
    }
    // Numbers of counts, weights and winnings.
    for (const char* text : {"给我三块蛋糕", "两块面包", "5块电池", "一块儿去", "3块 布", "6块腹肌",
                             "3块pizza", "2刀纸", "2 pounds of apples", "i weigh 180 pounds",
                             "a 5 pound bag", "we won 500", "200 won games", "3欧姆"}) {
        CAPTURE(text);
        const std::string read = amounts_in(text);
        CHECK(read.substr(0, 1) == "?");
    }
    // A year behind a word of letters.
    CHECK(amounts_in("CNY 2026") == "?2026");
    CHECK(amounts_in("after cny 2027, ok") == "?2027");
    CHECK(amounts_in("the 2027 CNY holiday") == "?2027");
    CHECK(amounts_in("euro 2024") == "?2024");
    CHECK(amounts_in("CAD 2025") == "?2025");
}

TEST_CASE("a number that ends with its currency word is an amount") {
    CHECK(amounts_in("250块") == "250.00 CNY");
    CHECK(amounts_in("250块，可以吗") == "250.00 CNY");
    CHECK(amounts_in("250块 可以吗") == "250.00 CNY");
    CHECK(amounts_in("250块吧？250块怎么样？三块钱蛋糕") == "250.00 CNY 250.00 CNY 3.00 CNY");
    CHECK(amounts_in("280元拍一套肖像, 100元押金, 二十元吗") == "280.00 CNY 100.00 CNY 20.00 CNY");
    CHECK(amounts_in("CNY 2,026 or CNY 2026.00 or ¥2026 or USD 2000") ==
          "2026.00 CNY 2026.00 CNY 2026.00 CNY 2000.00 USD");
    CHECK(amounts_in("人民币300, £20, 20 GBP, KRW 5000, ₩500") ==
          "300.00 CNY 20.00 GBP 20.00 GBP 5000 KRW 500 KRW");
}

TEST_CASE("an amount in any spelling is read as its value or not at all") {
    test::check_property([] {
        const std::int64_t whole = *rc::gen::inRange<std::int64_t>(1, 10'000'000);
        const int cents = *rc::gen::inRange(0, 100);
        const int decimals = *rc::gen::inRange(0, 3);
        const std::string group =
            *rc::gen::element<std::string>("", ",", ".", "'", "’", " ", "\u00A0", "\u2009");
        const std::string point = *rc::gen::element<std::string>(".", ",");
        const std::string currency = *rc::gen::element<std::string>("CNY", "EUR", "CHF");
        const bool is_before = *rc::gen::arbitrary<bool>();
        const bool is_wide = *rc::gen::arbitrary<bool>();
        RC_PRE(group != point);
        std::string digits = std::to_string(whole);
        for (std::size_t at = digits.size(); at > 3;) {
            at -= 3;
            digits.insert(at, group);
        }
        std::int64_t minor = whole * 100;
        if (decimals == 1) {
            minor += cents / 10 * 10;
            digits += point + std::to_string(cents / 10);
        } else if (decimals == 2) {
            minor += cents;
            digits += point + (cents < 10 ? "0" : "") + std::to_string(cents);
        }
        if (is_wide) digits = wide(digits);
        const std::string text = is_before ? "I offer " + currency + " " + digits + " for it"
                                           : "I offer " + digits + " " + currency + " for it";
        const Vocabulary& words = built_in_vocabulary();
        for (const NumberMention& number : find_numbers(words.lexicon.comparable(text), words)) {
            RC_ASSERT(number.kind == NumberKind::Money);
            RC_ASSERT(!number.money || *number.money == (Money{minor, currency}));
        }
    });
}

TEST_CASE("dates, versions, telephone numbers and counts are no amounts") {
    CHECK(amounts_in("2026-11-21 10:30, v1.2.3, 13800138000, 3 pages, 两页, 5th, A4") == "");
}
