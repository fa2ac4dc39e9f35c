#include "core/base/money.h"

#include <doctest/doctest.h>

#include <string>

using a2h::parse_money;

TEST_CASE("R27: decimal major units become exact minor units") {
    CHECK(parse_money("280", "CNY").value().minor == 28000);
    CHECK(parse_money("19.9", "USD").value().minor == 1990);
    CHECK(parse_money("5000", "JPY").value().minor == 5000);
    CHECK(parse_money("1.234", "KWD").value().minor == 1234);
    CHECK(parse_money("5000", "CLP").value().minor == 5000);
    CHECK(parse_money("1.2345", "CLF").value().minor == 12'345);
    CHECK(parse_money("1.234", "LYD").value().minor == 1234);
}

TEST_CASE("an amount that is not exact or not a number is refused") {
    for (const char* text : {"", ".", "1.", ".5", "1.001", "-1", "+1", "1e3", "1,000", " 1"}) {
        CAPTURE(text);
        CHECK(!parse_money(text, "CNY"));
    }
    CHECK(!parse_money("0.5", "JPY"));
    CHECK(!parse_money("1", "cny"));
}

TEST_CASE("R14: the largest amount is 2^53-1 minor units") {
    CHECK(parse_money("90071992547409.91", "CNY").value().minor == a2h::kMoneyMinorMax);
    CHECK(!parse_money("90071992547409.92", "CNY"));
    CHECK(!parse_money("99999999999999999999999999", "CNY"));
}

TEST_CASE("an amount prints with all its decimals") {
    CHECK(a2h::to_text({28000, "CNY"}) == "280.00 CNY");
    CHECK(a2h::to_text({5, "CNY"}) == "0.05 CNY");
    CHECK(a2h::to_text({-105, "USD"}) == "-1.05 USD");
    CHECK(a2h::to_text({300, "JPY"}) == "300 JPY");
}

TEST_CASE("ISO 4217 codes for no currency and for tests are refused") {
    for (const std::string& code : {std::string(3, 'X'), std::string("XTS")}) {
        CHECK_FALSE(is_currency_code(code));
        CHECK_FALSE(parse_money("250", code).has_value());
    }
    CHECK(is_currency_code("XOF"));
}
